package copilot

import (
	"maps"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the language in which the host asked. Where
// that is not known a tool call is denied by exit code 2, which blocks in both.
// Nothing to say is an empty stdout and exit code 0; what is for the person
// goes to stderr, because the host has no word for it.
func (d Dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	dialects.Degrade(ev, v, dialects.PowersFor(d, ev, v))
	_, l := exact(ev.Name)
	denied := v.Decision == trammel.Deny
	if denied && (l == untold && !jsonOnly(ev.Kind) || ev.Kind == trammel.Other) {
		return trammel.Reply{Exit: 2, Stderr: []byte(v.Reason + "\n")}
	}
	text, err := say(ev, v, l)
	if err != nil {
		// A rewrite without a JSON form cannot be carried out, so the call must not run.
		text, _ = say(ev, &trammel.Verdict{Answer: trammel.Denial("Trammel's verdict cannot be written as JSON: " + err.Error())}, l)
	}
	var r trammel.Reply
	if len(text) > len("{}") {
		r.Stdout = append(text, '\n')
	}
	if v.Notice != "" {
		r.Stderr = []byte(v.Notice + "\n")
	}
	return r
}

// jsonOnly reports whether the host blocks such an event by JSON alone, which
// then is the same in both languages.
func jsonOnly(kind trammel.Kind) bool {
	return kind == trammel.UserPromptSubmit || kind == trammel.PostToolUse || kind == trammel.Stop || kind == trammel.SubagentStop
}

func say(ev *trammel.Event, v *trammel.Verdict, l language) ([]byte, error) {
	var w strict.Writer
	w.Open()
	if v.Decision == trammel.Deny && jsonOnly(ev.Kind) {
		w.Text("decision", "block")
		w.Text("reason", v.Reason)
	}
	if l == claude {
		var in strict.Writer
		in.Open()
		in.Text("hookEventName", nameOf(ev.Kind, claude))
		empty := len(in.Bytes())
		details(&in, ev, v, l)
		if len(in.Bytes()) > empty {
			in.Close()
			w.Key("hookSpecificOutput")
			w.Raw(in.Bytes())
			w.Fail(in.Err())
		}
	} else {
		details(&w, ev, v, l)
	}
	w.Close()
	return w.Bytes(), w.Err()
}

// details writes what stands flat in the first language, and under
// hookSpecificOutput in the second.
func details(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict, l language) {
	denied := v.Decision == trammel.Deny
	switch ev.Kind {
	case trammel.PreToolUse:
		permission(w, v)
		if v.Input != nil && !denied && ev.Tool != nil {
			w.Map("modifiedArgs", v.Apply(ev.Tool.Input))
		}
	case trammel.PermissionRequest:
		behaviour(w, v, l)
	case trammel.UserPromptSubmit:
		if text, ok := v.Input["prompt"].(string); ok && !denied {
			w.Text("modifiedPrompt", text)
		}
	case trammel.PostToolUse:
		if v.Output != nil && !denied {
			w.Map("modifiedResult", result(ev.Tool, *v.Output))
		}
	}
	w.Text("additionalContext", strings.Join(v.Context, "\n\n"))
}

// permission writes a decision. An allow that is not a grant stays unsaid: the
// host would take it for its user's consent.
func permission(w *strict.Writer, v *trammel.Verdict) {
	word := ""
	switch {
	case v.Decision == trammel.Deny:
		word = "deny"
	case v.Decision == trammel.Ask:
		word = "ask"
	case v.Granted:
		word = "allow"
	}
	if word != "" {
		w.Text("permissionDecision", word)
		w.Text("permissionDecisionReason", v.Reason)
	}
}

func behaviour(w *strict.Writer, v *trammel.Verdict, l language) {
	word := ""
	switch {
	case v.Decision == trammel.Deny:
		word = "deny"
	case v.Granted:
		word = "allow"
	}
	if word == "" {
		return
	}
	if l == claude {
		w.Key("decision")
		w.Open()
		defer w.Close()
	}
	w.Text("behavior", word)
	if v.Decision == trammel.Deny {
		w.Text("message", v.Reason)
	}
}

// result is a tool's result with another text.
func result(t *trammel.ToolCall, text string) map[string]any {
	out := map[string]any{"resultType": "success"}
	if t != nil {
		if old, ok := t.Response.(map[string]any); ok {
			out = maps.Clone(old)
		}
	}
	out["textResultForLlm"] = text
	return out
}
