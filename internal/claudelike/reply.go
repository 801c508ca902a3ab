package claudelike

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Object is a reply of one JSON object on one line. An empty object is no
// reply at all, because silence is what every host understands.
func Object(w *strict.Writer) trammel.Reply {
	if text := w.Bytes(); len(text) > len("{}") {
		return trammel.Reply{Stdout: append(text, '\n')}
	}
	return trammel.Reply{}
}

// Exit is the most general block that hosts know: exit code 2 with the reason
// on stderr. The words before the reason keep a reason that is JSON itself
// from being taken for an answer.
func Exit(reason string) trammel.Reply {
	return trammel.Reply{Exit: 2, Stderr: []byte("Blocked: " + reason + "\n")}
}

// Specific writes hookSpecificOutput with what fill puts into it, and nothing
// if that is nothing. name is its hookEventName; "" leaves it out.
func Specific(w *strict.Writer, name string, fill func(*strict.Writer)) {
	var in strict.Writer
	in.Open()
	in.Text("hookEventName", name)
	empty := len(in.Bytes())
	fill(&in)
	if len(in.Bytes()) == empty {
		return
	}
	in.Close()
	w.Key("hookSpecificOutput")
	w.Raw(in.Bytes())
	w.Fail(in.Err())
}

// Block writes the decision by which these hosts block most events.
func Block(w *strict.Writer, reason string) {
	w.Text("decision", "block")
	w.Text("reason", reason)
}

// Permission writes a decision on a tool call that is about to run.
func Permission(w *strict.Writer, word, reason string) {
	w.Text("permissionDecision", word)
	w.Text("permissionDecisionReason", reason)
}

// Behavior writes the answer to a question that the host is about to ask.
func Behavior(w *strict.Writer, word, message string) {
	w.Key("decision")
	w.Open()
	w.Text("behavior", word)
	w.Text("message", message)
	w.Close()
}

// Context writes text for the model.
func Context(w *strict.Writer, v *trammel.Verdict) {
	w.Text("additionalContext", strings.Join(v.Context, "\n\n"))
}

// Input is all arguments as the hooks left them, for hosts that take what they
// are given for the whole.
func Input(ev *trammel.Event, v *trammel.Verdict) map[string]any {
	if ev.Tool == nil {
		return v.Input
	}
	return v.Apply(ev.Tool.Input)
}

// Replacement is the text that stands in for a tool's output on hosts that
// replace it by the reason of a block. They ignore a block without a reason,
// and then the original would get through.
func Replacement(output string) string {
	if strings.TrimSpace(output) == "" {
		return "(no output)"
	}
	return output
}
