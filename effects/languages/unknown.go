package languages

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// unknownCall judges a call of an unknown function by its name: the argument of
// one like run, exec or spawn is a command if it looks like one, that of one
// like eval or compile is code, and that of one like deleteDirectory is deleted.
func (w *walker) unknownCall(ref string, args *arguments) {
	name := recipes.Parts(ref[strings.LastIndexAny(ref, "#.")+1:])
	runs := recipes.Means(name, "system", "shell", "exec", "spawn", "popen", "run", "sh", "bash", "subprocess", "start", "stream")
	evals := recipes.Means(name, "eval", "compile", "instantiate", "interpret", "run", "exec", "call")
	if v, ok := args.at(0); ok && v.kind == textValue && v.text != "" && strings.IndexByte("/~", v.text[0]) >= 0 &&
		recipes.Means(name, "delete", "remove", "erase", "destroy", "wipe", "rm", "del", "rmtree", "deltree", "rmrf") &&
		slices.ContainsFunc([]string{"dir", "directory", "tree", "folder", "recursive", "recursively", "rmrf"}, func(end string) bool {
			return strings.HasSuffix(strings.ToLower(name), end)
		}) {
		w.file(model.File{Op: model.Delete, Tree: true}, v)
	}
	if !runs && !evals || recipes.Means(name, "exit", "error", "exception", "warn", "test", "assert", "expect") || w.depth >= maxNest/2 {
		return
	}
	var words value
	for _, v := range append(args.list[:len(args.list):len(args.list)], values(args.named)...) {
		switch {
		case v.kind == listValue:
			words.add(v.list...)
		case v.kind == textValue:
			words.add(v)
		}
	}
	for i, first := range words.list {
		switch {
		case first.kind != textValue:
		case runs && recipes.IsCommand(first.text):
			w.shell(first)
			return
		case runs && recipes.IsCommand(first.text+" "): // the program, and its arguments
			w.start(listOf(words.list[i:]), args)
			return
		case evals && strings.ContainsAny(first.text, "(`"):
			w.depth++
			w.eval(first)
			w.depth--
		}
	}
	if v, ok := args.at(0); ok && v.net && recipes.Means(name, "eval", "compile", "instantiate", "interpret") {
		w.eval(v)
	}
}

// respelled is what of the environment a call gives back in another spelling:
// base64.b64encode(x), x.split("").
func respelled(ref string, recv *value, args *arguments) string {
	if !recipes.Means(recipes.Parts(ref[strings.LastIndexAny(ref, "#.")+1:]), "encode", "b64encode", "str", "repr", "dumps", "hex", "hexlify",
		"list", "tuple", "reversed", "stringify", "inspect", "from", "join", "split", "btoa", "quote", "format", "string", "upper", "lower",
		"strip", "trim", "reverse", "replace", "encode64", "base64") {
		return ""
	}
	if recv != nil && recv.environ != "" {
		return recv.environ
	}
	for _, v := range args.list {
		if v.environ != "" {
			return v.environ
		}
	}
	return ""
}

func values(fields []field) (out []value) {
	for _, f := range fields {
		out = append(out, f.value)
	}
	return out
}
