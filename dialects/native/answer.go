package native

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// DecodeAnswer reads what a hook program answered.
//
// Plain text instead of JSON is context for the model where something has
// happened or a prompt comes in, so that a linter needs no JSON. Where a
// decision is expected it is an error: a program that should decide and prints
// something else must not count as one without an opinion.
func (Dialect) DecodeAnswer(ev *trammel.Event, out trammel.Output) (trammel.Answer, error) {
	text := bytes.TrimSpace(out.Stdout)
	switch {
	case out.Exit == 2:
		return trammel.Denial(denialReason(out.Stderr)), nil
	case out.Exit != 0:
		return trammel.Answer{}, trammel.Fail(trammel.CodeCrash, "exit code %d, expected 0 or 2", out.Exit)
	case len(text) == 0:
		return trammel.Answer{}, nil
	case text[0] == '{':
		return readAnswer(text)
	}
	plain := strings.ToValidUTF8(string(text), "\uFFFD")
	switch can := ev.Kind.Can(); {
	case can.Any(trammel.Inject) && (!ev.Kind.FailsClosed() || ev.Kind == trammel.UserPromptSubmit):
		return trammel.Answer{Context: []string{plain}}, nil
	case ev.Kind.FailsClosed():
		return trammel.Answer{}, trammel.Fail(trammel.CodeMalformed, "answered with plain text, expected a JSON object or nothing")
	}
	return trammel.Answer{Diagnostics: []string{plain}}, nil
}

func denialReason(stderr []byte) string {
	if reason := strings.TrimSpace(strings.ToValidUTF8(string(stderr), "\uFFFD")); reason != "" {
		return reason
	}
	return "A Trammel hook denied this and gave no reason."
}

func readAnswer(text []byte) (trammel.Answer, error) {
	obj, err := strict.Object(text, strict.Limits{})
	if err != nil {
		return trammel.Answer{}, decode.Malformed(err)
	}
	f := strict.FieldsOf(obj, "")
	a := trammel.Answer{
		Reason: f.String("reason"), Input: f.Object("input"), Context: readContext(f), Notice: f.String("notice"),
		Summary: f.String("summary"), Facts: f.Object("facts"), Diagnostics: f.Strings("diagnostics"),
	}
	if _, there := f.Rest()["output"]; there {
		output := f.String("output")
		a.Output = &output
	}
	for i, v := range f.List("signals") {
		each(f, "signals", i, v, func(f *strict.Fields) {
			a.Signals = append(a.Signals, trammel.Signal{Kind: f.String("kind"), Code: f.String("code"), Severity: f.String("severity"),
				Payload: f.Object("payload")})
		})
	}
	for i, v := range f.List("findings") {
		each(f, "findings", i, v, func(f *strict.Fields) {
			a.Findings = append(a.Findings, trammel.Finding{Code: f.String("code"), Severity: f.String("severity"), Target: f.String("target")})
		})
	}
	if decision, there := f.Rest()["decision"]; there {
		word := f.String("decision")
		if a.Decision, err = trammel.ParseDecision(word); err != nil && decision != nil {
			f.Refuse("decision", "none, allow, ask or deny")
		}
	}
	if err := f.Done(); err != nil {
		return trammel.Answer{}, decode.Malformed(err)
	}
	return a, nil
}

// readContext takes a text or a list of texts.
func readContext(f *strict.Fields) []string {
	if _, one := f.Rest()["context"].(string); one {
		return []string{f.String("context")}
	}
	return f.Strings("context")
}

func each(f *strict.Fields, key string, i int, v any, read func(*strict.Fields)) {
	obj, ok := v.(map[string]any)
	if !ok {
		f.Refuse(key, "a list of objects")
		return
	}
	part := strict.FieldsOf(obj, fmt.Sprintf("%s.%d", key, i))
	read(part)
	f.Fail(part.Done())
}
