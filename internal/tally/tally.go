// Package tally is what policies share that count and record calls: by which
// words of an event things are told apart, what has been counted already, what
// a call is about in one line, and where a project's records are.
package tally

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/secret"
)

// Session is the session that an event belongs to. Where a host names none,
// it is what runs in the same directory.
func Session(ev *trammel.Event) string {
	if ev.Session.ID != "" {
		return ev.Session.ID
	}
	return "dir:" + Project(ev)
}

// Agent is the agent, as exactly as the host tells.
func Agent(ev *trammel.Event) string {
	if ev.Session.AgentID != "" {
		return ev.Session.AgentID
	}
	return ev.Session.Agent
}

// Project is the directory of the project, or where the agent works.
func Project(ev *trammel.Event) string {
	if ev.Session.Project != "" {
		return ev.Session.Project
	}
	return ev.Session.Dir
}

// Connector is the service that a tool belongs to: its MCP server, or what
// stands before __ in its name. "" is a tool of the host itself.
func Connector(ev *trammel.Event) string {
	if ev.Tool == nil {
		return ""
	}
	if s := ev.Tool.Action.Server; s != "" {
		return s
	}
	if name, _, ok := strings.Cut(ev.Tool.Name, "__"); ok {
		return name
	}
	return ""
}

// fact is the name under which a policy notes what it has counted.
const fact = "counted"

// Counted reports whether this event has been counted under a mark. Guards are
// asked again when one of them has rewritten the call, and it stays one call.
func Counted(ev *trammel.Event, mark string) bool {
	for _, facts := range ev.Facts {
		if facts[fact] == mark {
			return true
		}
	}
	return false
}

// Note is the fact that an event has been counted under a mark.
func Note(mark string) map[string]any { return map[string]any{fact: mark} }

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
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}

// Place is where a file of a project belongs: as given, with ~ for the home
// directory and relative to the project, or in a folder of the state directory
// under the project's name if nothing is given.
func Place(ev *trammel.Event, given, folder, name string) (string, error) {
	switch {
	case given == "":
		dirs, err := layers.System()
		if err != nil {
			return "", err
		}
		project := Project(ev)
		sum := sha256.Sum256([]byte(project))
		return filepath.Join(dirs.State, folder, hex.EncodeToString(sum[:8]), name), nil
	case strings.HasPrefix(given, "~/"):
		home, err := os.UserHomeDir()
		return filepath.Join(home, given[2:]), err
	case filepath.IsAbs(given):
		return given, nil
	case Project(ev) == "":
		return "", fmt.Errorf("%s is relative to the project, and the host does not say where that is", given)
	}
	return filepath.Join(Project(ev), given), nil
}
