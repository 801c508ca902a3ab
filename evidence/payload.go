package evidence

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/clip"
	"github.com/trammel-dev/trammel/internal/secret"
)

// payload is what is stored of the host's payload. Bytes that cannot be read
// are not stored: they could hold anything.
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

// maxResponse is how much of a server's answer is stored if the message is too
// large. The digest and the size of the whole message are recorded.
const maxResponse = 64 << 10

func shorten(payload map[string]any) {
	if text, ok := payload["tool_response"].(string); ok {
		payload["tool_response"] = clip.Bytes(text, maxResponse)
	}
}

// embedded replaces the payload if a Go program dispatched the event itself and
// no bytes were sent.
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

// onSensitivePath reports whether a call is about a file of secrets.
func onSensitivePath(a *trammel.Action) bool {
	return slices.ContainsFunc(a.Paths, secret.SensitivePath) || secret.NamesSensitivePath(a.Command)
}

// writesSensitive reports whether a command may contain the content of such a
// file: it names one, and it redirects or has a here-document.
func writesSensitive(command string) bool {
	return secret.NamesSensitivePath(command) && (strings.ContainsAny(command, "><\n") || strings.Contains(command, "tee "))
}

// withoutWrites removes commands that contain the content of a sensitive file.
func withoutWrites(v any) any {
	return canonical.MapTexts(v, func(s string) string {
		if writesSensitive(s) {
			return redactedFile
		}
		return s
	})
}
