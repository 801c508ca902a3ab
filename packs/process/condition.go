package process

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/lazy"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Condition is a question about a request. Facts are computed by hooks of the
// pack, and only when a condition asks for them.
type Condition struct {
	Op    string      `json:"op"`
	Field string      `json:"field,omitempty"` // of the payload, as a.b.c; of facts, as hook.fact; the type of an artifact
	Value any         `json:"value,omitempty"`
	Names []string    `json:"names,omitempty"`
	Of    []Condition `json:"of,omitempty"`
}

// The operators.
const (
	opAlways          = "always"
	opPayloadMissing  = "payload_missing"
	opPayloadEquals   = "payload_equals"
	opPayloadContains = "payload_contains_any"
	opFactMissing     = "fact_missing"
	opFactEquals      = "fact_equals"
	opArtifactMissing = "artifact_missing"
	opAll             = "all"
	opAny             = "any"
	opNot             = "not"
)

var operators = []string{opAlways, opPayloadMissing, opPayloadEquals, opPayloadContains, opFactMissing, opFactEquals, opArtifactMissing,
	opAll,
	opAny, opNot}

// condition reads a condition in either spelling. Several in one mapping must
// all be true.
func (n node) condition() *Condition {
	m, ok := n.at.(map[string]any)
	if !ok || len(m) == 0 {
		n.wrong("expected a mapping with one of %s", strings.Join(operators, ", "))
		return nil
	}
	if _, older := m["op"]; older {
		return n.olderCondition()
	}
	var parts []Condition
	for _, op := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, n.field(op).operator(op)...)
	}
	if len(parts) == 1 {
		return &parts[0]
	}
	return &Condition{Op: opAll, Of: parts}
}

// olderCondition reads {field, op, value}.
func (n node) olderCondition() *Condition {
	n.only("field", "op", "value")
	c := Condition{Field: n.field("field").text(), Value: n.field("value").at}
	switch op := n.field("op"); op.text() {
	case "always":
		return &Condition{Op: opAlways}
	case "missing":
		c.Op, c.Value = opPayloadMissing, nil
	case "equals":
		c.Op = opPayloadEquals
	default:
		op.wrong("expected always, missing or equals")
	}
	if c.Field == "" {
		n.need("field")
	}
	return &c
}

func (n node) operator(op string) (out []Condition) {
	switch op {
	case opAlways:
		if !n.flag() {
			n.wrong("expected true: a condition that is never true guards nothing")
		}
		return []Condition{{Op: op}}
	case opPayloadMissing, opFactMissing, opArtifactMissing:
		var any []Condition
		for _, name := range n.names() {
			any = append(any, Condition{Op: op, Field: name})
		}
		if len(any) > 1 {
			return []Condition{{Op: opAny, Of: any}}
		}
		out = any
	case opPayloadEquals, opFactEquals:
		m, _ := n.at.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(m)) {
			out = append(out, Condition{Op: op, Field: name, Value: m[name]})
		}
	case opPayloadContains:
		if names := n.names(); len(names) > 0 {
			out = []Condition{{Op: op, Names: names}}
		}
	case opAll, opAny:
		c := Condition{Op: op}
		for _, e := range n.list() {
			if inner := e.condition(); inner != nil {
				c.Of = append(c.Of, *inner)
			}
		}
		if len(c.Of) > 0 {
			out = []Condition{c}
		}
	case opNot:
		if inner := n.condition(); inner != nil {
			out = []Condition{{Op: op, Of: []Condition{*inner}}}
		}
	default:
		n.wrong("expected one of %s", strings.Join(operators, ", "))
		return nil
	}
	if len(out) == 0 {
		n.wrong("%s is empty", op)
	}
	return out
}

// each calls fn for a condition and those in it.
func (c *Condition) each(fn func(*Condition)) {
	if c == nil {
		return
	}
	fn(c)
	for i := range c.Of {
		c.Of[i].each(fn)
	}
}

// hook is the hook whose fact a condition asks for.
func (c *Condition) hook() (hook, fact string) {
	i := strings.LastIndexByte(c.Field, '.')
	if i < 0 {
		return "", c.Field
	}
	return c.Field[:i], c.Field[i+1:]
}

// surroundings is what a condition can refer to.
type surroundings struct {
	payload  map[string]any
	facts    func(hook string) (map[string]any, error)
	artifact func(kind string) bool
}

func (c *Condition) holds(s *surroundings) (bool, error) {
	switch c.Op {
	case opAlways:
		return true, nil
	case opPayloadMissing:
		return missing(s.payload, c.Field), nil
	case opPayloadEquals:
		v, there := lookUp(s.payload, c.Field)
		return there && same(v, c.Value), nil
	case opPayloadContains:
		return containsAny(s.payload, c.Names), nil
	case opArtifactMissing:
		return !s.artifact(c.Field), nil
	case opFactMissing, opFactEquals:
		hook, fact := c.hook()
		facts, err := s.facts(hook)
		if err != nil {
			return false, err
		}
		v, there := facts[fact]
		if c.Op == opFactMissing {
			return !there || v == nil, nil
		}
		return there && same(v, c.Value), nil
	case opNot:
		holds, err := c.Of[0].holds(s)
		return !holds, err
	}
	for i := range c.Of {
		holds, err := c.Of[i].holds(s)
		if err != nil || holds == (c.Op == opAny) {
			return holds, err
		}
	}
	return c.Op == opAll, nil
}

// lookUp finds a field by its name, or by a path of names.
func lookUp(m map[string]any, path string) (any, bool) {
	if v, there := m[path]; there {
		return v, true
	}
	first, rest, deeper := strings.Cut(path, ".")
	inner, ok := m[first].(map[string]any)
	if !deeper || !ok {
		return nil, false
	}
	return lookUp(inner, rest)
}

// missing reports whether a field is missing, or there is nothing in it.
func missing(m map[string]any, path string) bool {
	v, _ := lookUp(m, path)
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(strings.Map(seen, v)) == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return v == nil
}

// same compares by value: 1 and 1.0 are the same number.
func same(a, b any) bool {
	x, y := canonical.DigestOf(a), canonical.DigestOf(b)
	return x == y && x != ""
}

// containsAny reports whether one of the names is a key anywhere in a value, in
// any spelling that could be taken for it, or comes before a colon or an equals
// sign in one of its texts.
func containsAny(v any, names []string) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if named(key, names) || containsAny(inner, names) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return containsAny(e, names) })
	case string:
		for _, m := range assigned().FindAllStringSubmatch(strings.Map(seen, v), -1) {
			if named(m[1], names) {
				return true
			}
		}
	}
	return false
}

// assigned finds what comes before a colon or an equals sign.
var assigned = lazy.Regexp(`([\pL\pN_-]+)["'\x60]?\s*[:=]`)

// seen is a character without its disguise, -1 if it cannot be seen.
func seen(r rune) rune {
	if unicode.Is(unicode.Cf, r) {
		return -1
	}
	return strict.Undisguised(r)
}

// named reports whether a name is one of these, or could be taken for one, as
// in results of hooks.
func named(name string, names []string) bool {
	folded := fst.Fold(name)
	return folded != "" && slices.ContainsFunc(names, func(n string) bool { return fst.Fold(n) == folded })
}
