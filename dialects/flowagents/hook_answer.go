package flowagents

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel"
)

// What stands around guidance, after the event that is repeated (FLOW-21).
const (
	opening = "\n\n---\n"
	closing = "\n---"
)

// DecodeAnswer reads what a program of the contract answered. What it says on
// stderr while it allows is a warning for the person; the reference shows it
// to nobody.
func (dialect) DecodeAnswer(ev *trammel.Event, out trammel.Output) (trammel.Answer, error) {
	stderr := strings.TrimSpace(valid(out.Stderr))
	switch out.Exit {
	case 0:
	case 2:
		stderr = cmp.Or(stderr, "Blocked by a hook that gave no reason.")
		if !ev.Kind.Can().Any(trammel.Block | trammel.Continue) {
			return trammel.Answer{Notice: stderr}, nil
		}
		return trammel.Denial(stderr), nil
	default:
		return trammel.Answer{}, trammel.Fail(trammel.CodeCrash, "exit code %d, expected 0 or 2", out.Exit)
	}
	a := trammel.Answer{Notice: stderr}
	guidance, rest := strings.CutPrefix(valid(afterEcho(ev, out.Stdout)), opening)
	switch {
	case rest:
		guide(ev, strings.TrimSpace(strings.TrimSuffix(strings.TrimRight(guidance, "\n"), closing)), &a)
	case strings.TrimSpace(guidance) != "":
		a.Diagnostics = []string{strings.TrimSpace(guidance)}
	}
	return a, nil
}

// guide is text for the model, or where none can be added for the person.
func guide(ev *trammel.Event, text string, a *trammel.Answer) {
	switch {
	case text == "":
	case ev.Kind.Can().Any(trammel.Inject):
		a.Context = []string{text}
	default:
		a.Notice = strings.TrimSpace(a.Notice + "\n" + text)
	}
}

// afterEcho is what follows the repeated event. A program may have written the
// event again, or, being cut off, only a part of it; none of it is an answer.
func afterEcho(ev *trammel.Event, stdout []byte) []byte {
	if input, err := Dialect.EncodeEvent(ev); err == nil {
		if rest, ok := bytes.CutPrefix(stdout, input); ok {
			return rest
		}
		if bytes.HasPrefix(input, stdout) {
			return nil
		}
	}
	if trimmed := bytes.TrimLeft(stdout, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '{' {
		dec := jsontext.NewDecoder(bytes.NewBuffer(bytes.Clone(trimmed)), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if dec.SkipValue() == nil {
			return trimmed[dec.InputOffset():]
		}
	}
	return stdout
}

func valid(text []byte) string { return strings.ToValidUTF8(string(text), "\uFFFD") }
