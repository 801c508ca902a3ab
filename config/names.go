package config

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel/effects/match"
)

// ID is the name of a hook.
type ID string

const idPattern = `^[a-z0-9][a-z0-9._/-]*$`

func (id *ID) parse(text string) bool {
	*id = ID(text)
	ok := text != "" && len(text) <= 128
	for i, r := range text {
		lower := 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
		ok = ok && (lower || i > 0 && strings.ContainsRune("._/-", r))
	}
	return ok
}
func (*ID) wants() string {
	return "an id of at most 128 lower-case letters, digits and . _ / -, beginning with a letter or a digit"
}
func (*ID) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: idPattern, MaxLength: new(128)}
}

// HookRef names a hook: by its id, or as layer/id.
type HookRef string

func (r *HookRef) parse(text string) bool { *r = HookRef(text); return (*ID)(r).parse(text) }
func (r *HookRef) wants() string          { return "the id of a hook" }
func (*HookRef) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: idPattern}
}

// Text is text that is not empty.
type Text string

func (t *Text) parse(text string) bool { *t = Text(text); return strings.TrimSpace(text) != "" }
func (*Text) wants() string            { return "text" }
func (*Text) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: `\S`}
}

// Expr is an expression. It is checked by the kind of handler that runs it.
type Expr string

func (e *Expr) parse(text string) bool   { return (*Text)(e).parse(text) }
func (*Expr) wants() string              { return "an expression" }
func (*Expr) schema() *jsonschema.Schema { return (*Text)(nil).schema() }

func notEmpty() *jsonschema.Schema { return &jsonschema.Schema{Type: "string", MinLength: new(1)} }

// PolicyName is the name of a built-in policy in the registry.
type PolicyName string

func (n *PolicyName) parse(text string) bool   { *n = PolicyName(text); return text != "" }
func (*PolicyName) wants() string              { return "the name of a built-in policy" }
func (*PolicyName) schema() *jsonschema.Schema { return notEmpty() }

// Glob is a pattern of paths.
type Glob string

func (g *Glob) parse(text string) bool { *g = Glob(text); return match.CheckGlob(text) == nil }
func (g *Glob) wants() string {
	if err := match.CheckGlob(string(*g)); err != nil {
		return "a glob, such as **/*.go: " + err.Error()
	}
	return "a glob, such as **/*.go"
}
func (*Glob) schema() *jsonschema.Schema { return notEmpty() }

// Host is a host that is contacted.
type Host string

func (h *Host) parse(text string) bool { *h = Host(text); return match.CheckHost(text) == nil }
func (*Host) wants() string {
	return "a host: example.com, *.example.com, .example.com for both, " +
		"10.0.0.0/8 for a network, !example.com for others, * for any, foreign for all but this machine"
}
func (*Host) schema() *jsonschema.Schema { return notEmpty() }

// EnvName is the name of an environment variable.
type EnvName string

const envPattern = `^[A-Za-z_][A-Za-z0-9_]*$`

func (n *EnvName) parse(text string) bool { *n = EnvName(text); return envName(text) }
func (*EnvName) wants() string            { return "the name of a variable" }
func (*EnvName) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: envPattern}
}

// EnvPass is the name of a variable to pass on, or * for all.
type EnvPass string

func (n *EnvPass) parse(text string) bool { *n = EnvPass(text); return text == "*" || envName(text) }
func (*EnvPass) wants() string            { return "the name of a variable, or * for all" }
func (*EnvPass) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: `^(\*|[A-Za-z_][A-Za-z0-9_]*)$`}
}

func envName(text string) bool {
	for i, r := range text {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
		if !letter && (i == 0 || r < '0' || '9' < r) {
			return false
		}
	}
	return text != ""
}
