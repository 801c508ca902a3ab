package rules

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
)

// maxSteps limits what a file may compute.
const maxSteps = 1_000_000

// starlarkRules runs a file, which declares its rules by calling functions.
func starlarkRules(name string, data []byte) (out []importers.Rule, err error) {
	f := file{}
	thread := &starlark.Thread{Name: name, Print: func(*starlark.Thread, string) {}}
	thread.SetMaxExecutionSteps(maxSteps)
	functions := starlark.StringDict{}
	for name, call := range map[string]func(int, starlark.Tuple, []starlark.Tuple) error{
		"prefix_rule": f.prefixRule, "host_executable": f.hostExecutable, "network_rule": f.networkRule} {
		functions[name] = starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
			named []starlark.Tuple) (starlark.Value, error) {
			return starlark.None, call(int(t.CallFrame(1).Pos.Line), args, named)
		})
	}
	defer func() {
		if failed := recover(); failed != nil { // a panic in the interpreter must not end the program
			out, err = nil, document.Wrong(1, "the file cannot be run: %v", failed)
		}
	}()
	options := &syntax.FileOptions{TopLevelControl: true, GlobalReassign: true, Set: true}
	if _, err := starlark.ExecFileOptions(options, thread, name, data, functions); err != nil {
		return nil, problem(err)
	}
	return f.rules, nil
}

// problem is an error with its line.
func problem(err error) error {
	var bad syntax.Error
	var failed *starlark.EvalError
	switch {
	case errors.As(err, &bad):
		return document.Wrong(int(bad.Pos.Line), "%s", bad.Msg)
	case errors.As(err, &failed):
		line := 1
		for _, frame := range failed.CallStack {
			if frame.Pos.Line > 0 {
				line = int(frame.Pos.Line)
			}
		}
		return document.Wrong(line, "%s", failed.Msg)
	}
	text := err.Error() // names that are not defined: file:line:column: message
	var line, column int
	if at := strings.Index(text, ".rules:"); at >= 0 {
		if n, _ := fmt.Sscanf(text[at:], ".rules:%d:%d:", &line, &column); n == 2 {
			_, text, _ = strings.Cut(text[at:], ": ")
		}
	}
	return document.Wrong(line, "%s", text)
}

type file struct{ rules []importers.Rule }

func (f *file) prefixRule(line int, args starlark.Tuple, named []starlark.Tuple) error {
	var parts *starlark.List
	decision, why := "allow", ""
	var match, miss *starlark.List
	if err := starlark.UnpackArgs("prefix_rule", args, named, "pattern", &parts, "decision?", &decision, "match?", &match,
		"not_match?", &miss, "justification?", &why); err != nil {
		return err
	}
	if _, known := decisions[decision]; !known {
		return fmt.Errorf("the decision is %q, expected allow, prompt or forbidden", decision)
	}
	var p pattern
	for part := range parts.Elements() {
		words, err := texts(part)
		if err != nil || len(words) == 0 {
			return errors.New("a pattern is a list of words, each a text or a list of texts")
		}
		p = append(p, words)
	}
	if len(p) == 0 {
		return errors.New("the pattern is empty")
	}
	r := p.rule(line, decision, why)
	var err error
	if r.Matches, err = examples(p, match, true); err != nil {
		return err
	}
	if r.Misses, err = examples(p, miss, false); err != nil {
		return err
	}
	f.rules = append(f.rules, r)
	return nil
}

// examples are command lines that the pattern has to match, or must not.
func examples(p pattern, list *starlark.List, want bool) (out []string, err error) {
	if list == nil {
		return nil, nil
	}
	for v := range list.Elements() {
		words, err := texts(v)
		if text, ok := starlark.AsString(v); ok {
			words = importers.Split(text)
		} else if err != nil {
			return nil, errors.New("an example is a text or a list of words")
		}
		line := importers.Join(words)
		if p.matches(words) != want {
			return nil, fmt.Errorf("the example %q contradicts the pattern %s, so the agent refuses the file", line, p)
		}
		out = append(out, line)
	}
	return out, nil
}

// texts are the texts of a list, or a single text.
func texts(v starlark.Value) (out []string, err error) {
	if text, ok := starlark.AsString(v); ok {
		return []string{text}, nil
	}
	list, ok := v.(starlark.Iterable)
	if !ok {
		return nil, errors.New("expected texts")
	}
	for item := range starlark.Elements(list) {
		text, ok := starlark.AsString(item)
		if !ok {
			return nil, errors.New("expected texts")
		}
		out = append(out, text)
	}
	return out, nil
}

// hostExecutable names paths of a program that stand for its name. Trammel's
// rules that deny or ask apply to every path of a program anyway.
func (f *file) hostExecutable(line int, args starlark.Tuple, named []starlark.Tuple) error {
	var name string
	var paths *starlark.List
	if err := starlark.UnpackArgs("host_executable", args, named, "name", &name, "paths", &paths); err != nil {
		return err
	}
	f.rules = append(f.rules, importers.Rule{Line: line, Text: "host_executable " + name,
		Outcome: importers.Wider, Why: "rules that deny or ask hold for every path of a program here"})
	return nil
}

func (f *file) networkRule(line int, args starlark.Tuple, named []starlark.Tuple) error {
	var host, protocol, decision, why string
	if err := starlark.UnpackArgs("network_rule", args, named, "host", &host, "protocol", &protocol, "decision", &decision,
		"justification?", &why); err != nil {
		return err
	}
	switch protocol {
	case "http", "https", "https_connect", "http-connect", "socks5_tcp", "socks5_udp":
	default:
		return fmt.Errorf("the protocol is %q, expected http, https, socks5_tcp or socks5_udp", protocol)
	}
	d, known := map[string]trammel.Decision{"allow": trammel.Allow, "prompt": trammel.Ask, "deny": trammel.Deny}[decision]
	r := importers.Rule{Line: line, Text: "network_rule " + protocol + "://" + host, Decision: d, Reason: why}
	switch {
	case !known:
		return fmt.Errorf("the decision is %q, expected allow, prompt or deny", decision)
	case d == trammel.Allow:
		r = r.Refuse("which hosts the sandbox lets through is up to the agent")
	case host == "" || strings.ContainsAny(host, "*/@ ?#:["):
		return fmt.Errorf("the host is %q, expected a name without port and wildcards", host)
	default:
		r.Calls.To = []string{strings.ToLower(host)}
	}
	f.rules = append(f.rules, r)
	return nil
}
