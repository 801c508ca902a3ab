package condition

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator makes up expressions, mostly of fitting types.
type generator struct {
	r     *rand.Rand
	loops int
	vars  int
}

func (g *generator) pick(from ...string) string { return from[g.r.IntN(len(from))] }

func (g *generator) any(depth int) string {
	switch g.r.IntN(6) {
	case 0, 1, 2:
		return g.truth(depth)
	case 3:
		return g.text(depth)
	case 4:
		return g.number(depth)
	}
	return g.list(depth)
}

// unknown is something whose type only the event knows.
func (g *generator) unknown(depth int) string {
	names := []string{"n", "f", "big", "s", "t", "yes", "none", "zero", "list", "ints", "words", "obj", "nested", "objs", "empty", "json",
		"missing"}
	name := "input." + g.pick(names...)
	switch g.r.IntN(9) {
	case 0:
		return "input.obj" + g.pick(".k", "?.k", ".deep.l", "?.deep?.l", `["a b"]`, "?.x?.y", ".x?.y.z", `?.["k"]`)
	case 1:
		return name + "?." + g.pick("k", "deep", "a")
	case 2:
		return name + "[" + g.pick("0", "1", "-1", "9", `"k"`, g.number(min(depth, 1))) + "]"
	case 3:
		return "facts." + g.pick("h.k", "h.n", "h.words", "no.k", "h?.k", "no?.k?.l")
	case 4:
		if g.loops > 0 {
			return g.pick("#", "#", "#index", "#?.id", ".id")
		}
	case 5:
		if depth > 0 {
			return "(" + g.any(depth-1) + " ?? " + g.any(depth-1) + ")"
		}
	case 6:
		return g.pick("first", "last") + "(" + g.list(depth-1) + ")"
	case 7:
		return "get(" + g.unknown(0) + ", " + g.pick("0", `"k"`, "-1") + ")"
	}
	return name
}

func (g *generator) truth(depth int) string {
	if depth <= 0 {
		return g.pick("true", "false", "session.bypass", "input.yes", `args.has("push")`, "tool.failed", "input.none", `runs("git")`,
			"args.unknown")
	}
	d := depth - 1
	switch g.r.IntN(16) {
	case 0:
		return "(" + g.truth(d) + g.pick(" && ", " and ", " || ", " or ") + g.truth(d) + ")"
	case 1:
		return g.pick("!", "not ") + "(" + g.truth(d) + ")"
	case 2:
		return g.text(d) + g.pick(" contains ", " startsWith ", " endsWith ", " not contains ", " == ", " != ", " < ", " >= ") + g.text(d)
	case 3:
		return g.number(d) + g.pick(" == ", " != ", " < ", " <= ", " > ", " >= ") + g.number(d)
	case 4:
		return g.any(d) + g.pick(" == ", " != ") + g.any(d)
	case 5:
		return g.unknown(d) + g.pick(" == ", " != ", " < ", " <= ", " > ", " >= ") + g.any(d)
	case 6:
		return g.any(d) + g.pick(" in ", " not in ") + g.pick(g.list(d), g.unknown(d), g.object(d))
	case 7:
		return g.text(d) + " matches " + g.pick(`"^a"`, `"[a-c]+$"`, `"(?i)GIT"`, `"x|é"`, g.text(d), "input.s")
	case 8:
		return "(" + g.truth(d) + " ? " + g.truth(d) + " : " + g.truth(d) + ")"
	case 9, 10:
		return g.pick("any", "all", "none", "one") + "(" + g.list(d) + ", " + g.in(g.truth, d) + ")"
	case 11:
		return g.pick("hasPrefix", "hasSuffix") + "(" + g.text(d) + ", " + g.text(d) + ")"
	case 12:
		return g.let(g.truth, d)
	case 13:
		return g.list(d) + g.pick(" == ", " != ") + g.list(d)
	case 14:
		return g.pick("args.has", "args.starts", "runs", "writes") + "(" + g.text(d) + ", " + g.pick(`"x"`, "input.s", g.text(d)) + ")"
	}
	return g.unknown(d)
}

func (g *generator) in(what func(int) string, depth int) string {
	g.loops++
	defer func() { g.loops-- }()
	return what(depth)
}

func (g *generator) let(what func(int) string, depth int) string {
	name := fmt.Sprintf("v%d", g.vars)
	g.vars++
	return "(let " + name + " = " + g.any(depth) + "; " + strings.NewReplacer("command", name, "input.n", name).Replace(what(depth)) + ")"
}

func (g *generator) text(depth int) string {
	if depth <= 0 {
		return g.pick(`"a"`, `"push"`, `""`, `"é"`, "command", "path", "host", "prompt", "session.mode", "args.text", "input.s", "input.t",
			"reason",
			`'it''s'`[:4]+"'", "`b`", `"a,b"`, `"\xff"`, "tool.name")
	}
	d := depth - 1
	switch g.r.IntN(14) {
	case 0:
		return "(" + g.text(d) + " + " + g.text(d) + ")"
	case 1:
		return g.pick("upper", "lower", "trim", "trimPrefix", "trimSuffix", "toBase64") + "(" + g.text(d) + ")"
	case 2:
		return g.pick("trim", "trimPrefix", "trimSuffix") + "(" + g.text(d) + ", " + g.text(d) + ")"
	case 3:
		return "replace(" + g.text(d) + ", " + g.text(d) + ", " + g.text(d) + g.pick(")", ", 1)")
	case 4:
		return "join(" + g.list(d) + g.pick(")", ", "+g.text(d)+")")
	case 5:
		return "string(" + g.pick(g.number(d), g.truth(d), g.unknown(d)) + ")"
	case 6:
		return "(" + g.text(d) + ")[" + g.pick(":", "1:", ":2", "0:1", "-2:", ":-1", "2:1", "9:", g.number(0)+":") + "]"
	case 7:
		return "type(" + g.any(d) + ")"
	case 8:
		return "(" + g.truth(d) + " ? " + g.text(d) + " : " + g.text(d) + ")"
	case 9:
		return "(" + g.text(d) + " | " + g.pick("upper()", "lower()", "trim()", `replace("a", "b")`, "repeat(2)") + ")"
	case 10:
		return "toJSON(" + g.pick(g.number(d), g.text(d), g.object(d)) + ")"
	case 11:
		return "repeat(" + g.text(d) + ", " + g.number(0) + ")"
	case 12:
		return g.let(g.text, d)
	}
	return g.unknown(d)
}

func (g *generator) number(depth int) string {
	if depth <= 0 {
		return g.pick("0", "1", "2", "-1", "1.5", "0x10", "1_000", "len(paths)", "input.n", "input.f", "input.big", "input.zero", "7", "1e3",
			"-2.5")
	}
	d := depth - 1
	switch g.r.IntN(13) {
	case 0, 1:
		return "(" + g.number(d) + g.pick(" + ", " - ", " * ", " / ", " % ", " ** ", " ^ ") + g.number(d) + ")"
	case 2:
		return "len(" + g.pick(g.text(d), g.list(d), g.unknown(d), g.object(d)) + ")"
	case 3:
		return g.pick("-", "+") + "(" + g.number(d) + ")"
	case 4:
		return g.pick("abs", "ceil", "floor", "round", "int", "float") + "(" + g.number(d) + ")"
	case 5:
		return g.pick("int", "float") + "(" + g.text(d) + ")"
	case 6:
		return g.pick("min", "max", "mean", "median") + "(" + g.number(d) + ", " + g.pick(g.number(d), g.list(d)) + ")"
	case 7:
		return g.pick("min", "max", "mean", "median", "sum", "count") + "(" + g.list(d) + ")"
	case 8:
		return g.pick("indexOf", "lastIndexOf") + "(" + g.text(d) + ", " + g.text(d) + ")"
	case 9:
		return g.pick("bitand", "bitor", "bitxor", "bitnand", "bitshl", "bitshr", "bitushr") + "(" + g.number(d) + ", " + g.number(0) + ")"
	case 10:
		return g.pick("count", "findIndex") + "(" + g.list(d) + ", " + g.in(g.truth, d) + ")"
	case 11:
		return g.pick("sum("+g.list(d)+", "+g.in(g.number, d)+")",
			"reduce("+g.list(d)+", "+strings.ReplaceAll(g.in(g.number, d), "#index", "#acc")+g.pick(")", ", "+g.number(d)+")"))
	}
	return g.unknown(d)
}

func (g *generator) list(depth int) string {
	if depth <= 0 {
		return g.pick("paths", "args.list", "input.list", "input.ints", "input.words", "[]", "[1, 2, 1]", `["a", "b"]`, "1..3", "3..1",
			"input.empty",
			"facts.h.words", "input.nested", "input.objs", "[1, 2.0, nil]")
	}
	d := depth - 1
	switch g.r.IntN(14) {
	case 0:
		return "[" + g.any(d) + ", " + g.any(d) + "]"
	case 1, 2:
		return "filter(" + g.list(d) + ", " + g.in(g.truth, d) + ")"
	case 3, 4:
		return "map(" + g.list(d) + ", " + g.in(g.any, d) + ")"
	case 5:
		return "(" + g.list(d) + ")[" + g.pick(":", "1:", ":2", "0:1", "-2:", ":-1", "2:1", g.number(0)+":"+g.number(0)) + "]"
	case 6:
		return g.pick("split", "splitAfter") + "(" + g.text(d) + ", " + g.text(0) + g.pick(")", ", 2)", ", "+g.number(0)+")")
	case 7:
		return g.pick("reverse", "uniq", "flatten", "sort") + "(" + g.list(d) + ")"
	case 8:
		return "concat(" + g.list(d) + ", " + g.list(d) + ")"
	case 9:
		return "take(" + g.list(d) + ", " + g.number(0) + ")"
	case 10:
		return "sortBy(" + g.list(d) + ", " + g.in(g.any, d) + g.pick(")", `, "desc")`, `, "asc")`)
	case 11:
		return "sort(" + g.list(d) + g.pick(`, "desc")`, `, "asc")`, ", "+g.text(0)+")")
	case 12:
		return "sort(" + g.pick("keys", "values") + "(" + g.object(d) + "))"
	}
	return "(" + g.number(0) + ".." + g.number(0) + ")"
}

func (g *generator) object(depth int) string {
	switch g.r.IntN(5) {
	case 0:
		return "input.obj"
	case 1:
		return `{"a": ` + g.any(depth-1) + `, "a": 2}`
	case 2:
		return "groupBy(" + g.list(depth-1) + ", " + g.in(g.any, depth-1) + ")"
	case 3:
		return "fromPairs(" + g.pick("toPairs(input.obj)", `[["a", 1], ["b", 2]]`, g.list(depth-1)) + ")"
	}
	return "{k: " + g.any(depth-1) + "}"
}
