package copilot

import (
	"maps"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict writes a verdict in the language in which the host asked. If
// that is unknown, a tool call is denied by exit code 2, which blocks in both.
// Nothing to say is an empty stdout and exit code 0; notices go to stderr,
// because the host has no field for them.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	l := languageOf(ev.Name)
	exits := l == unknown && !jsonOnly(ev.Kind) || ev.Kind == trammel.Other
	return encode.Notice(encode.HostReply(d, ev, v, exits, encode.Exit, func(w *strict.Writer, v *trammel.Verdict) {
		if v.Decision == trammel.Deny && jsonOnly(ev.Kind) {
			encode.Block(w, v.Reason)
		}
		if l != claude {
			details(w, ev, v, l)
			return
		}
		encode.Specific(w, nameIn(claude, ev.Kind), func(in *strict.Writer) { details(in, ev, v, l) })
	}), v)
}

// jsonOnly reports whether the host blocks such an event by JSON alone, which
// then is the same in both languages.
func jsonOnly(kind trammel.Kind) bool {
	return kind == trammel.UserPromptSubmit || kind == trammel.PostToolUse || kind == trammel.Stop || kind == trammel.SubagentStop
}

// details writes what is at the top in the first language, and in
// hookSpecificOutput in the second.
func details(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict, l language) {
	denied := v.Decision == trammel.Deny
	switch ev.Kind {
	case trammel.PreToolUse:
		encode.Permission(w, encode.Word(v), v.Reason)
		if !denied {
			w.Map("modifiedArgs", encode.Input(ev, v))
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
	encode.Context(w, v)
}

// behaviour answers the question that the host is about to ask.
func behaviour(w *strict.Writer, v *trammel.Verdict, l language) {
	word, message := encode.Word(v), ""
	switch word {
	case "deny":
		message = v.Reason
	case "allow":
	default:
		return
	}
	if l == claude {
		encode.Behavior(w, word, message, nil)
		return
	}
	w.Texts("behavior", word, "message", message)
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

// LimitPowers allows only the text of a prompt to be rewritten, and nothing if the
// language is unknown.
func (d *dialect) LimitPowers(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	p = d.Host.LimitPowers(ev, v, p)
	if languageOf(ev.Name) == unknown {
		p.Can &^= trammel.RewriteInput | trammel.RewriteOutput
	}
	return dialects.PromptOnly(ev, v, p)
}
