package dockeragent

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the form that docker-agent honours on this
// event (DA-03). Nothing to say is an empty stdout and exit code 0.
func (d Dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	// A verdict that comes here undegraded must not leave in a form that the
	// host ignores; one that is degraded already is not changed.
	dialects.Degrade(ev, v, dialects.PowersFor(d, ev, v))
	if ev.Kind == trammel.Other && v.Decision == trammel.Deny {
		return trammel.Reply{Exit: 2, Stderr: []byte(v.Reason + "\n")}
	}
	text, err := say(ev, v)
	if err != nil {
		// A rewrite without a JSON form cannot be carried out, so the call must not run.
		denial := trammel.Denial("Trammel's verdict cannot be written as JSON: " + err.Error())
		text, _ = say(ev, &trammel.Verdict{Answer: denial})
	}
	if len(text) <= len("{}") {
		return trammel.Reply{}
	}
	return trammel.Reply{Stdout: append(text, '\n')}
}

func say(ev *trammel.Event, v *trammel.Verdict) ([]byte, error) {
	var w strict.Writer
	w.Open()
	if v.Decision == trammel.Deny && !decides(ev.Kind) {
		w.Text("decision", "block")
		w.Text("reason", v.Reason)
	}
	w.Text("system_message", v.Notice)
	specific(&w, ev, v)
	w.Close()
	return w.Bytes(), w.Err()
}

// decides reports whether the host takes a permission_decision on this event.
func decides(kind trammel.Kind) bool {
	return kind == trammel.PreToolUse || kind == trammel.ToolGuard || kind == trammel.PermissionRequest
}

// specific writes hook_specific_output, if there is anything to put into it.
func specific(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict) {
	var in strict.Writer
	in.Open()
	in.Text("hook_event_name", nameOf(ev.Kind))
	empty := len(in.Bytes())
	if decides(ev.Kind) {
		permission(&in, ev.Kind, v)
	}
	if v.Input != nil && v.Decision != trammel.Deny {
		if ev.Kind == trammel.BeforeLLMCall {
			in.Key("updated_messages")
			in.Value(v.Input["messages"])
		} else {
			in.Map("updated_input", finalInput(ev, v))
		}
	}
	in.Text("additional_context", strings.Join(v.Context, "\n\n"))
	in.Text("summary", v.Summary)
	if v.Output != nil && ev.Kind == trammel.ToolResponseTransform {
		in.Key("updated_tool_response")
		in.String(*v.Output)
	}
	if len(in.Bytes()) == empty {
		return
	}
	in.Close()
	w.Key("hook_specific_output")
	w.Raw(in.Bytes())
	w.Fail(in.Err())
}

// permission writes a decision. An allow that is not a grant stays unsaid: the
// host would take it for its user's consent.
func permission(w *strict.Writer, kind trammel.Kind, v *trammel.Verdict) {
	word := ""
	switch {
	case v.Decision == trammel.Deny:
		word = "deny"
	case v.Decision == trammel.Ask && kind != trammel.PermissionRequest:
		word = "ask"
	case v.Granted:
		word = "allow"
	}
	if word != "" {
		w.Text("permission_decision", word)
		w.Text("permission_decision_reason", v.Reason)
	}
}

func finalInput(ev *trammel.Event, v *trammel.Verdict) map[string]any {
	if ev.Tool == nil {
		return v.Input
	}
	return v.Apply(ev.Tool.Input)
}
