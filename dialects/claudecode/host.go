// Package claudecode speaks the language of Claude Code: towards Claude Code
// itself, and towards hook programs that were written for it and now run under
// any host.
//
// What the host honours was measured (hosts.md); only such forms are ever
// sent. Denials go as JSON with exit code 0 where there is a JSON form,
// because the text of an exit code 2 shows the model the whole command line of
// the hook. stdout is empty or one JSON object and a newline: the host takes
// anything else for plain text and lets the call through.
package claudecode

import (
	_ "embed"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

// Name is what the host is called in configuration.
const Name = "claude-code"

// Dialect is the language of Claude Code, both halves.
type Dialect struct{ *dialects.Host }

// New returns the language of Claude Code.
func New() Dialect { return Dialect{&Host} }

//go:embed host.txt
var about string

// Host is what is known about Claude Code.
//
// Stop has no context: the host would take it for a reason to go on. Setup has
// none because the host drops it; it waits for the session to start. When the
// host is about to ask, saying nothing is asking.
var Host = dialects.Host{
	System: Name, About: &about, Tools: shapes,
	Wiring: &dialects.Wiring{
		Patience: dialects.PeopleTime,
		// On Windows Claude Code runs hooks with the sh of Git.
		Windows: dialects.POSIX, Disabled: "disableAllHooks",
		Files: []dialects.File{{User: "settings.json", Project: ".claude/settings.json", Entry: entry}},
	},
	Transcripts: &dialects.Transcripts{Below: "projects", Line: transcriptLine, Mine: func(rel string) bool {
		// <project>/<session>.jsonl; what lies deeper belongs to sub-agents
		return strings.HasSuffix(rel, ".jsonl") && strings.Count(rel, "/") == 1
	}},
}

func entry(c dialects.Call) dialects.Object {
	var more []dialects.Member
	if c.Wire != dialects.Open && c.AtLeast("2.1.295") { // older ones are not known to take the key
		more = []dialects.Member{{Name: "onFailure", Value: "block"}}
	}
	return dialects.Grouped(c, c.Seconds(), more...)
}

// transcriptLine reads a line of a transcript: one per message, calls in the
// content of the assistant's.
func transcriptLine(line map[string]any) (dialects.Line, bool) {
	text := func(m map[string]any, key string) string { s, _ := m[key].(string); return s }
	out := dialects.Line{Session: text(line, "sessionId"), Dir: text(line, "cwd"), Version: text(line, "version")}
	message, _ := line["message"].(map[string]any)
	parts, _ := message["content"].([]any)
	if line["type"] != "assistant" {
		return out, true
	}
	at, _ := time.Parse(time.RFC3339Nano, text(line, "timestamp"))
	for _, p := range parts {
		part, ok := p.(map[string]any)
		if !ok {
			return out, false
		}
		if part["type"] == "tool_use" {
			out.Calls = append(out.Calls, dialects.ToolUse{ID: text(part, "id"), Tool: text(part, "name"), Time: at})
		}
	}
	return out, true
}

// Narrow takes away what the host does only with some answers: it replaces a
// tool's output only in the tool's own shape, changes the arguments of a call
// that it is asking about only together with an approval, and does not let
// hooks block a change of its managed settings.
func (d Dialect) Narrow(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	switch ev.Kind {
	case trammel.PostToolUse:
		if v.Output != nil && reshape(ev.Tool, *v.Output) == nil {
			p.Can &^= trammel.RewriteOutput
		}
	case trammel.PermissionRequest:
		if !v.Granted {
			p.Can &^= trammel.RewriteInput
		}
	case trammel.ConfigChange:
		if ev.Source == "policy_settings" {
			p.Can &^= trammel.Block
		}
	}
	return p
}
