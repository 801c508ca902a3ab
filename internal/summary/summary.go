// Package summary says what an event is about in a line that shows no secret.
package summary

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/clip"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/visible"
)

// Sensitive reports whether an event is about a file that holds secrets.
func Sensitive(ev *trammel.Event) bool {
	if ev.Tool == nil {
		return false
	}
	a := &ev.Tool.Action
	return slices.ContainsFunc(a.Paths, secret.SensitivePath) || a.Command != "" && secret.NamesSensitivePath(a.Command)
}

// Target is what a tool call is about, in one line without secrets: its
// command, its first file, its address.
func Target(a *trammel.Action) string {
	var text string
	switch {
	case a.Command != "" && secret.NamesSensitivePath(a.Command):
		return "[REDACTED:" + secret.FileKind + "]"
	case a.Command != "":
		text = a.Command
	case len(a.Paths) > 0:
		text = a.Paths[0]
	case a.URL != "":
		text = a.URL
	case a.Query != "":
		text = a.Query
	case a.Tool != "":
		text = a.Tool
	default:
		text = a.Agent
	}
	return Line(text)
}

// maxLine is how many bytes of a text are kept.
const maxLine = 400

// Line makes one short line without secrets of a foreign text.
func Line(text string) string {
	// Before it is cut: half a secret has no shape. What is far behind is not
	// looked at, so that a long text costs no more than a short one.
	const far = 16 << 10
	if len(text) > far {
		text = text[:far]
	}
	text, _ = secret.Redact(text)
	text = strings.Map(func(r rune) rune {
		if r >= '\t' && r <= '\r' { // line breaks and tabs
			return ' '
		}
		return r
	}, clip.Bytes(text, maxLine))
	return clip.Bytes(visible.Line(text), maxLine)
}
