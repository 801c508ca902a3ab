package decode

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/nearest"
	"github.com/trammel-dev/trammel/internal/strict"
)

// noReason is used if a program blocked without a reason.
const noReason = "Blocked by a hook that gave no reason."

// JSON returns what a program printed, without white space around it, if it
// begins like a JSON object.
func JSON(printed []byte) (text []byte, is bool) {
	text = bytes.TrimSpace(printed)
	return text, len(text) > 0 && text[0] == '{'
}

// Plain is what a program printed, as text.
func Plain(printed []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(printed), "\uFFFD"))
}

// Output reads how a program ended: exit code 2 blocks, another one is a crash,
// JSON on stdout is for read, and plain text is context on the events named.
func Output(ev *trammel.Event, out trammel.Output, read func(*trammel.Event, []byte) (trammel.Answer, error),
	context ...trammel.Kind) (trammel.Answer, error) {
	text, isJSON := JSON(out.Stdout)
	switch {
	case out.Exit == 2:
		return Blocked(ev, out.Stderr), nil
	case out.Exit != 0:
		return trammel.Answer{}, trammel.Fail(trammel.CodeCrash, "exit code %d, expected 0 or 2", out.Exit)
	case isJSON:
		return read(ev, text)
	case len(text) == 0:
		return trammel.Answer{}, nil
	}
	return Noise(ev, text, context...)
}

// Answer reads the object that a program answered with. Fields that read does
// not read are an error.
func Answer(text []byte, read func(f *strict.Fields, a *trammel.Answer)) (trammel.Answer, error) {
	var a trammel.Answer
	obj, err := strict.Object(text, strict.Limits{})
	if err == nil {
		f := strict.FieldsOf(obj, "")
		read(f, &a)
		err = f.Done()
	}
	if err != nil {
		return trammel.Answer{}, Malformed(err)
	}
	return a, nil
}

// Decisions are what the words under a key mean.
type Decisions map[string]trammel.Decision

// Decide reads the decision under a key; a word that is not listed is refused.
// Of several decisions in an answer the strictest counts.
func Decide(f *strict.Fields, a *trammel.Answer, key string, words Decisions, expected string) {
	d, ok := words[f.String(key)]
	if !ok {
		f.Refuse(key, expected)
	}
	a.Decision = max(a.Decision, d)
}

// Keys refuses an answer with a key that looks like a known one which is not
// there: a misspelled decision would let everything pass.
func Keys(f *strict.Fields, known ...string) {
	all := f.Rest()
	f.Fail(strict.CaseVariant(all, known...))
	for _, key := range slices.Sorted(maps.Keys(all)) {
		for _, k := range known {
			if _, there := all[k]; there || slices.Contains(known, key) {
				continue
			}
			if a, b := joined(key), joined(k); a == b || nearest.Typo(a, []string{b}) != "" {
				f.Fail(trammel.Fail(trammel.CodeInput, "found key %q, did you mean %q?", key, k))
			}
		}
	}
}

// joined is a key without what separates its words.
func joined(key string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))
}

// Grouped reads an answer in the shape that most systems copied from Claude
// Code: a decision, and what is specific to the event. Fields that are silently
// ignored are listed.
func Grouped(text []byte, ev *trammel.Event, words Decisions, expected string,
	specific func(*strict.Fields, *trammel.Event, *trammel.Answer), ignored ...string) (trammel.Answer, error) {
	return Answer(text, func(f *strict.Fields, a *trammel.Answer) {
		Keys(f, "continue", "stopReason", "decision", "reason", "systemMessage", "hookSpecificOutput")
		a.Notice, a.Reason = f.String("systemMessage"), f.String("reason")
		Decide(f, a, "decision", words, expected)
		f.Part("hookSpecificOutput", func(f *strict.Fields) { specific(f, ev, a) })
		Continue(f, ev, "stopReason", a)
		for _, key := range append(ignored, "suppressOutput") {
			f.Any(key)
		}
		Ignored(f, a)
	})
}

// Blocked is a block by exit code. If the event cannot be blocked, it becomes a
// notice.
func Blocked(ev *trammel.Event, stderr []byte) trammel.Answer {
	reason := Plain(stderr)
	if !ev.Kind.Can().Any(trammel.Block | trammel.Continue) {
		return trammel.Answer{Notice: reason}
	}
	reason = cmp.Or(reason, noReason)
	return trammel.Denial(reason)
}

// Noise is plain text on stdout: context on events that accept it. On events
// that can be blocked, it must not hide a JSON answer that follows.
func Noise(ev *trammel.Event, text []byte, context ...trammel.Kind) (trammel.Answer, error) {
	if ev.Kind.FailsClosed() && text[len(text)-1] == '}' {
		return trammel.Answer{}, trammel.Fail(trammel.CodeMalformed, "printed something before its JSON, which hides the JSON")
	}
	if slices.Contains(context, ev.Kind) {
		return trammel.Answer{Context: []string{Plain(text)}}, nil
	}
	return trammel.Answer{Diagnostics: []string{Plain(text)}}, nil
}

// Continue reads continue:false, by which a program wants the agent to end, and
// under whyKey why.
func Continue(f *strict.Fields, ev *trammel.Event, whyKey string, a *trammel.Answer) {
	proceed, given := f.Rest()["continue"].(bool)
	f.Bool("continue")
	why := f.String(whyKey)
	if given && !proceed {
		halt(ev, why, a)
	}
}

// halt is continue:false, by which a program wants the agent to end. If
// something is about to happen, it is a denial. If the agent is about to end,
// it is consent, whatever else the answer says.
func halt(ev *trammel.Event, why string, a *trammel.Answer) {
	why = cmp.Or(why, a.Reason, "A hook wants the agent to stop.")
	switch can := ev.Kind.Can(); {
	case can.Any(trammel.Continue):
		a.Decision, a.Reason = trammel.None, ""
	case can.Any(trammel.Block):
		a.Decision, a.Reason, a.Input = trammel.Deny, why, nil
	default:
		a.Notice = strings.TrimSpace(a.Notice + "\n" + why)
	}
}

// Ignored notes fields that the system of the program ignores, too.
func Ignored(f *strict.Fields, a *trammel.Answer) {
	for _, key := range slices.Sorted(maps.Keys(f.Rest())) {
		a.Diagnostics = append(a.Diagnostics, fmt.Sprintf("field %q is not known and was ignored", key))
		f.Any(key)
	}
}

// Malformed says that an answer cannot be read. An unknown field keeps its code.
func Malformed(err error) error {
	if trammel.CodeOf(err) == trammel.CodeUnknownField {
		return err
	}
	return trammel.Fail(trammel.CodeMalformed, "answer cannot be read: %w", err)
}
