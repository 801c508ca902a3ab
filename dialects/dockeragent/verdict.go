package dockeragent

import (
	"maps"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict writes a verdict in the form that docker-agent honours on this
// event (DA-03). If there is nothing to say, stdout is empty and the exit code
// is 0.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	return encode.HostReply(d, ev, v, ev.Kind == trammel.Other, encode.Exit, func(w *strict.Writer, v *trammel.Verdict) {
		if v.Decision == trammel.Deny && !decides(ev.Kind) {
			encode.Block(w, v.Reason)
		}
		w.Text("system_message", v.Notice)
		encode.Inner(w, "hook_specific_output", "hook_event_name", Host.EventName(ev.Kind), func(in *strict.Writer) { specific(in, ev, v) })
	})
}

// decides reports whether the host accepts a permission_decision on this event.
func decides(kind trammel.Kind) bool {
	return kind == trammel.PreToolUse || kind == trammel.ToolGuard || kind == trammel.PermissionRequest
}

// specific writes hook_specific_output.
func specific(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict) {
	word := encode.Word(v)
	if decides(ev.Kind) && word != "" && !(word == "ask" && ev.Kind == trammel.PermissionRequest) {
		w.Texts("permission_decision", word, "permission_decision_reason", v.Reason)
	}
	if v.Input != nil && v.Decision != trammel.Deny {
		if ev.Kind == trammel.BeforeLLMCall {
			w.Any("updated_messages", v.Input["messages"])
		} else {
			w.Map("updated_input", encode.Input(ev, v))
		}
	}
	if decides(ev.Kind) {
		w.Map(metadata, shown(v))
	}
	w.Texts("additional_context", encode.Joined(v), "summary", v.Summary)
	if v.Output != nil && ev.Kind == trammel.ToolResponseTransform {
		w.Key("updated_tool_response")
		w.String(*v.Output)
	}
}

// shown is what hooks want the person to see with the question; of two values
// with the same name, the later counts.
func shown(v *trammel.Verdict) map[string]any {
	var out map[string]any
	for i := range v.Runs {
		r := &v.Runs[i]
		if data, ok := r.Answer.Facts[metadata].(map[string]any); ok && r.Code == "" {
			if out == nil {
				out = map[string]any{}
			}
			maps.Copy(out, data)
		}
	}
	return out
}

// LimitPowers removes what the host does only with some answers: of what goes to the
// model it accepts only the whole list of messages, and of a compaction only
// the summary.
func (*dialect) LimitPowers(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	switch ev.Kind {
	case trammel.BeforeLLMCall:
		if list, ok := v.Input["messages"].([]any); !ok || len(list) == 0 || len(v.Input) != 1 {
			p.Can &^= trammel.RewriteInput
		}
	case trammel.BeforeCompaction:
		if v.Summary == "" {
			p.Can &^= trammel.RewriteOutput
		}
	}
	return p
}
