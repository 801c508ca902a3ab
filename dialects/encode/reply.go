// Package encode writes the parts of verdicts and events that hosts have in
// common: replies of one JSON object, answers with hookSpecificOutput, payloads
// in snake case. Each dialect is built from these.
package encode

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Verdict is a reply of one JSON object on one line, which say fills. A rewrite
// that cannot be written as JSON denies the event. An empty object becomes no
// output at all, which every host understands.
func Verdict(v *trammel.Verdict, say func(w *strict.Writer, v *trammel.Verdict)) trammel.Reply {
	w := object(v, say)
	if err := w.Err(); err != nil {
		w = object(&trammel.Verdict{Answer: trammel.Denial("Trammel's verdict cannot be written as JSON: " + err.Error())}, say)
	}
	if text := w.Bytes(); len(text) > len("{}") {
		return trammel.Reply{Stdout: append(text, '\n')}
	}
	return trammel.Reply{}
}

// HostReply degrades a verdict to what the host can do with it, and returns the
// reply. If the host cannot be denied with JSON (exits), exit does it.
func HostReply(d trammel.HostDialect, ev *trammel.Event, v *trammel.Verdict, exits bool, exit func(reason string) trammel.Reply,
	say func(w *strict.Writer, v *trammel.Verdict)) trammel.Reply {
	dialects.DegradeForHost(d, ev, v)
	if exits && v.Decision == trammel.Deny {
		return exit(v.Reason)
	}
	return Verdict(v, say)
}

func object(v *trammel.Verdict, say func(w *strict.Writer, v *trammel.Verdict)) *strict.Writer {
	w := &strict.Writer{}
	w.Open()
	say(w, v)
	w.Close()
	return w
}

// Exit is the most general block that hosts know: exit code 2 with the reason
// on stderr.
func Exit(reason string) trammel.Reply {
	return trammel.Reply{Exit: 2, Stderr: []byte(reason + "\n")}
}

// Blocked is Exit for hosts that look for JSON on stderr, too: the words before
// the reason keep a reason that is itself JSON from being read as an answer.
func Blocked(reason string) trammel.Reply { return Exit("Blocked: " + reason) }

// Notice adds the notice to the person, for hosts that have no other place for
// it, unless there is already a reason.
func Notice(r trammel.Reply, v *trammel.Verdict) trammel.Reply {
	if v.Notice != "" && r.Stderr == nil {
		r.Stderr = []byte(v.Notice + "\n")
	}
	return r
}

// Specific writes hookSpecificOutput with what fill puts into it, and nothing
// if that is nothing. name is its hookEventName; "" leaves it out.
func Specific(w *strict.Writer, name string, fill func(*strict.Writer)) {
	Inner(w, "hookSpecificOutput", "hookEventName", name, fill)
}

// Inner is Specific under other keys.
func Inner(w *strict.Writer, key, nameKey, name string, fill func(*strict.Writer)) {
	var in strict.Writer
	in.Open()
	in.Text(nameKey, name)
	empty := len(in.Bytes())
	fill(&in)
	if len(in.Bytes()) == empty {
		return
	}
	in.Close()
	w.Key(key)
	w.Raw(in.Bytes())
	w.Fail(in.Err())
}

// Block writes the decision by which most hosts block most events.
func Block(w *strict.Writer, reason string) {
	w.Texts("decision", "block", "reason", reason)
}

// Word is the decision of a verdict, "" for none. An allow that is not a grant
// is left out: the host would take it for its user's consent.
func Word(v *trammel.Verdict) string {
	switch {
	case v.Decision >= trammel.Ask:
		return v.Decision.String()
	case v.Granted:
		return "allow"
	}
	return ""
}

// Permission writes a decision on a tool call that is about to run.
func Permission(w *strict.Writer, word, reason string) {
	if word != "" {
		w.Texts("permissionDecision", word, "permissionDecisionReason", reason)
	}
}

// Behavior writes the answer to a question that the host is about to ask.
// input are new arguments, nil for none.
func Behavior(w *strict.Writer, word, message string, input map[string]any) {
	w.Key("decision")
	w.Open()
	w.Texts("behavior", word, "message", message)
	w.Map("updatedInput", input)
	w.Close()
}

// Context writes text for the model.
func Context(w *strict.Writer, v *trammel.Verdict) { w.Text("additionalContext", Joined(v)) }

// Joined is all text for the model.
func Joined(v *trammel.Verdict) string { return strings.Join(v.Context, "\n\n") }

// Input is all arguments after the hooks, for hosts that replace all arguments;
// nil if nothing is rewritten.
func Input(ev *trammel.Event, v *trammel.Verdict) map[string]any {
	if ev.Tool == nil || v.Input == nil {
		return v.Input
	}
	return v.Apply(ev.Tool.Input)
}

// Replacement is the text that replaces a tool's output on hosts that replace
// it with the reason of a block. They ignore a block without a reason, and then
// the original would get through.
func Replacement(output string) string {
	if strings.TrimSpace(output) == "" {
		return "(no output)"
	}
	return output
}
