package hooksfile

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// definition is what a hook does, as docker-agent declares it.
type definition struct {
	name, kind, command, dir, onError string
	model, prompt, schema             string
	args                              []string
	env                               map[string]string
	timeout                           int
	strict                            bool
}

// equal compares all fields; none and an empty list are the same.
func (d *definition) equal(o *definition) bool {
	a, b := *d, *o
	same := slices.Equal(a.args, b.args) && maps.Equal(a.env, b.env)
	a.args, a.env, b.args, b.env = nil, nil, nil, nil
	return same && a.name == b.name && a.kind == b.kind && a.command == b.command && a.dir == b.dir && a.onError == b.onError &&
		a.model == b.model && a.prompt == b.prompt && a.schema == b.schema && a.timeout == b.timeout && a.strict == b.strict
}

// usual is the timeout of a hook that does not declare one, in seconds. It is the same
// for all hooks ([trammel.DefaultTimeout]), so it is not written down: an agent that
// waits less is no reason for a notice then.
const usual = int(trammel.DefaultTimeout / time.Second)

// define reads one definition.
func (f *file) define(h hook, n ast.Node) {
	keys := f.mapping(n, "name", "type", "command", "args", "timeout", "env", "working_dir", "on_error", "strict_output", "model", "prompt",
		"schema")
	h.line = yamldoc.MarkOf(n).Line
	h.definition = definition{name: f.text(keys["name"]), kind: f.text(keys["type"]), command: f.text(keys["command"]),
		dir: f.text(keys["working_dir"]), onError: f.text(keys["on_error"]), model: f.text(keys["model"]), prompt: f.text(keys["prompt"]),
		schema: f.text(keys["schema"]), args: f.texts(keys["args"]), env: map[string]string{}, timeout: usual}
	if n := keys["timeout"]; n != nil {
		seconds, err := strconv.Atoi(n.GetToken().Value)
		if err != nil {
			f.refuse(n, "seconds", "the timeout is not a whole number")
		}
		if seconds > 0 {
			h.timeout = seconds
		}
	}
	pairs, _ := yamldoc.Pairs(keys["env"])
	for _, kv := range pairs {
		h.env[kv.Key.GetToken().Value] = f.text(kv.Value)
	}
	if b, ok := keys["strict_output"].(*ast.BoolNode); ok {
		h.strict = b.Value
	}
	f.check(&h, n, keys)
	if h.kind == "builtin" && h.command == "safer_shell" {
		return // it only labels calls, for docker-agent's own display
	}
	f.add(&h)
}

func (f *file) check(h *hook, n ast.Node, keys map[string]ast.Node) {
	switch h.onError {
	case "", "warn", "ignore", "block":
	default:
		f.refuse(keys["on_error"], "warn, ignore or block", "on_error cannot be %q", h.onError)
	}
	switch h.kind {
	case "command", "builtin":
		if h.command == "" {
			f.refuse(n, "command:", "the hook does not say what it runs")
		}
	case "model":
		if h.model == "" || h.prompt == "" {
			f.refuse(n, "model: and prompt:", "the hook does not say which model is asked what")
		} else if _, _, ok := f.endpointOf(h.model); !ok {
			f.refuse(keys["model"], "a model of the file, or provider/model of "+providerNames(), "no known provider serves %q",
				h.model)
		}
	case "":
		f.refuse(n, "type: command, builtin or model", "the hook has no type")
	default:
		f.refuse(keys["type"], "command, builtin or model", "there is no type %q", h.kind)
	}
}

// mapping is a mapping by its keys, which must be among known if some are given.
func (f *file) mapping(n ast.Node, known ...string) map[string]ast.Node {
	pairs, ok := yamldoc.Pairs(n)
	if !ok {
		f.refuse(n, "a mapping", "this is not a mapping")
	}
	out := make(map[string]ast.Node, len(pairs))
	for _, kv := range pairs {
		key := kv.Key.GetToken().Value
		if len(known) > 0 && !slices.Contains(known, key) {
			f.refuse(kv.Key, "one of docker-agent's keys", "there is no key %q", key)
		}
		out[key] = kv.Value
	}
	return out
}

// oneOrMore is a list, or a single value.
func oneOrMore(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return nil
	case *ast.SequenceNode:
		return n.Values
	}
	return []ast.Node{n}
}

func (f *file) text(n ast.Node) string {
	if n == nil {
		return ""
	}
	if s, ok := yamldoc.Text(n); ok {
		return s
	}
	if _, ok := n.(ast.ScalarNode); !ok {
		f.refuse(n, "text", "this is not text")
		return ""
	}
	return n.GetToken().Value
}

func (f *file) texts(n ast.Node) (out []string) {
	if _, isBool := n.(*ast.BoolNode); isBool {
		return nil
	}
	for _, v := range oneOrMore(n) {
		out = append(out, f.text(v))
	}
	return out
}
