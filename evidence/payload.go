package evidence

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/clip"
	"github.com/trammel-dev/trammel/internal/secret"
)

// payload is what is kept of what the host sent. Of bytes that cannot be read
// nothing is kept: there is no telling what is in them.
func payload(ev *trammel.Event, mode PayloadMode, sensitive bool) any {
	if mode == PayloadNone {
		return nil
	}
	var v any
	if len(ev.Raw) == 0 {
		v = embedded(ev)
	} else if decoded, err := decode(ev.Raw); err == nil {
		v = decoded
	}
	if mode != PayloadFull {
		v = redacted(v, sensitive)
	}
	if out, ok := v.(map[string]any); ok && ev.Exchange != nil && ev.Exchange.Digest != "" {
		shorten(out)
	}
	return v
}

// maxResponse is how much is kept of what a server answered in a message that is
// too large to be kept. The digest and the size of all of it are on record.
const maxResponse = 64 << 10

func shorten(payload map[string]any) {
	if text, ok := payload["tool_response"].(string); ok {
		payload["tool_response"] = clip.Bytes(text, maxResponse)
	}
}

// embedded stands in for the payload where a Go runtime dispatched the event
// itself and no bytes were sent.
func embedded(ev *trammel.Event) any {
	out := map[string]any{}
	if t := ev.Tool; t != nil {
		out["tool_name"], out["tool_input"] = t.Name, t.Input
		if t.Done {
			out["tool_response"] = t.Output
		}
	}
	if ev.Prompt != nil {
		out["prompt"] = ev.Prompt.Text
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func redacted(v any, sensitive bool) any {
	if sensitive {
		safe, _ := secret.RedactContent(v)
		return withoutWrites(safe)
	}
	safe, _ := secret.RedactValue(v)
	return safe
}

const redactedFile = "[REDACTED:" + secret.FileKind + "]"

// onSensitivePath reports whether a call is about a file made of secrets.
func onSensitivePath(a *trammel.Action) bool {
	return slices.ContainsFunc(a.Paths, secret.SensitivePath) || secret.NamesSensitivePath(a.Command)
}

// writesSensitive reports whether a command may carry the content of such a
// file in itself: it names one, and it redirects or has a document in it.
func writesSensitive(command string) bool {
	return secret.NamesSensitivePath(command) && (strings.ContainsAny(command, "><\n") || strings.Contains(command, "tee "))
}

// withoutWrites takes commands out that carry the content of a sensitive file.
func withoutWrites(v any) any {
	return canonical.MapTexts(v, func(s string) string {
		if writesSensitive(s) {
			return redactedFile
		}
		return s
	})
}
