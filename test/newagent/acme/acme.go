// Package acme speaks with an agent that does not exist: what CONTRIBUTING says
// is needed to add one, and nothing more.
package acme

import (
	_ "embed"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

//go:embed host.txt
var about string

// Host is what is known about Acme.
var Host = dialects.Host{System: "acme", About: &about,
	Tools: func() trammel.Shapes {
		return trammel.Shapes{"sh": {Kind: trammel.ShellAction, Command: []string{"line"}}}
	},
	Wiring: []dialects.File{{User: "hooks.json", Project: ".acme/hooks.json", Entry: dialects.GroupedSeconds}},
	Transcripts: &dialects.Transcripts{Below: "log", Mine: func(string) bool { return true },
		Line: func(line map[string]any) (dialects.Line, bool) {
			id, ok := line["call"].(string)
			dir, _ := line["dir"].(string)
			return dialects.Line{Session: "s1", Dir: dir, Calls: []dialects.ToolUse{{ID: id, Tool: "sh", Time: time.Now()}}}, ok
		}},
}

// Dialect is the language of Acme, towards the host.
var Dialect = dialect{decode.Reader{Host: &Host}}

type dialect struct{ decode.Reader }

// EncodeVerdict says a verdict to Acme.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	dialects.DegradeForHost(d, ev, v)
	if v.Decision == trammel.Deny {
		return encode.Exit(v.Reason)
	}
	return encode.Verdict(v, func(w *strict.Writer, v *trammel.Verdict) {
		w.Map("line", encode.Input(ev, v))
		encode.Context(w, v)
	})
}
