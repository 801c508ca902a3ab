// Package copilot speaks the language of GitHub Copilot CLI.
//
// The host has two languages and chooses by the case of the event's name in its
// configuration: preToolUse gets a camelCase payload and takes flat answers,
// PreToolUse gets a snake_case payload like Claude Code's and takes Claude
// Code's answers. What it sent says in which one it wants to be answered.
//
// What the host honours was measured (hosts.md). Exit code 2 blocks a tool call
// and nothing else, and its text is not told; so denials are JSON. In the
// second language only denial was measured: there nothing is rewritten.
//
// When a stop hook makes the agent go on, the host sends its prompt event again
// for the reason. No field of that payload tells it from a person's prompt, so
// Prompt.Synthetic stays false.
package copilot

import (
	_ "embed"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

// Name is what the host is called in configuration.
const Name = "copilot-cli"

// Dialect is the language of Copilot CLI, towards the host.
type Dialect struct{ *dialects.Host }

// New returns the language of Copilot CLI.
func New() Dialect { return Dialect{&Host} }

//go:embed host.txt
var about string

// Host is what is known about Copilot CLI: its events in the first language,
// then those in the second. Without a person it takes an ask for a denial. When
// it is about to ask, saying nothing is asking.
var Host = dialects.Host{
	System: Name, About: &about, Tools: shapes,
	Wiring: &dialects.Wiring{
		Patience: dialects.PeopleTime,
		Windows:  dialects.PowerShell,
		Files: []dialects.File{{User: "hooks/trammel.json", Project: ".github/hooks/trammel.json", Named: true, Entry: entry,
			Head: dialects.Object{{Name: "version", Value: 1}}}},
	},
}

func entry(c dialects.Call) dialects.Object {
	key := "bash"
	if c.Windows {
		key = "powershell"
	}
	return dialects.Object{{Name: "type", Value: "command"}, {Name: key, Value: c.Command}, {Name: "timeoutSec", Value: c.Seconds()}}
}

// Narrow takes away of a prompt every rewrite but that of its text. Where the
// language is not known, nothing is rewritten.
func (d Dialect) Narrow(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	p = d.Host.Narrow(ev, v, p)
	if languageOf(ev.Name) == unknown {
		p.Can &^= trammel.RewriteInput | trammel.RewriteOutput
	}
	return dialects.PromptOnly(ev, v, p)
}

// language is one of the host's two, or neither if it is unknown.
type language uint8

const (
	unknown language = iota
	flat
	claude
)

// languageOf tells the language by the name of an event.
func languageOf(name string) language {
	switch e := Host.Event(name); {
	case e == nil:
		return unknown
	case 'A' <= name[0] && name[0] <= 'Z':
		return claude
	}
	return flat
}

// nameIn is the host's name of a kind in a language, "" if it has no such event.
func nameIn(l language, kind trammel.Kind) string {
	for _, e := range Host.Events() {
		if e.Kind == kind && languageOf(e.Name) == l {
			return e.Name
		}
	}
	return ""
}
