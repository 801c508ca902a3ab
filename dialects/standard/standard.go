// Package standard lists the systems that both programs know: one line each.
package standard

import (
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/claudecode"
	"github.com/trammel-dev/trammel/dialects/codex"
	"github.com/trammel-dev/trammel/dialects/copilot"
	"github.com/trammel-dev/trammel/dialects/cursor"
	"github.com/trammel-dev/trammel/dialects/dockeragent"
	"github.com/trammel-dev/trammel/dialects/fimone"
	"github.com/trammel-dev/trammel/dialects/flowagents"
	"github.com/trammel-dev/trammel/dialects/gemini"
	"github.com/trammel-dev/trammel/dialects/kiro"
	"github.com/trammel-dev/trammel/dialects/native"
	"github.com/trammel-dev/trammel/dialects/opencode"
	"github.com/trammel-dev/trammel/dialects/others"
	"github.com/trammel-dev/trammel/dialects/pi"
	"github.com/trammel-dev/trammel/dialects/qwen"
	"github.com/trammel-dev/trammel/dialects/repohooks"
	"github.com/trammel-dev/trammel/dialects/vscode"
)

// list is in the order in which agents are shown.
var list = []dialects.Entry{
	{Dialect: native.Dialect{}},
	{Host: &claudecode.Host, Dialect: &claudecode.Dialect},
	{Host: &codex.Host, Dialect: &codex.Dialect},
	{Host: &gemini.Host, Dialect: &gemini.Dialect},
	{Host: &qwen.Host, Dialect: &qwen.Dialect},
	{Host: &copilot.Host, Dialect: &copilot.Dialect},
	{Host: &opencode.Host, Dialect: &opencode.Dialect},
	{Host: &pi.Host, Dialect: &pi.Dialect},
	{Host: &kiro.Host, Dialect: &kiro.Dialect},
	{Host: &cursor.Host, Dialect: &cursor.Dialect},
	{Host: &vscode.Host, Dialect: &vscode.Dialect},
	{Host: &dockeragent.Host, Dialect: &dockeragent.Dialect},
	{Host: &flowagents.Host, Dialect: &flowagents.Dialect},
	{Host: &repohooks.Host, Dialect: repohooks.Dialect{}},

	// Known, but without a dialect.
	{Host: &fimone.Host},
	{Host: &others.Aider},
	{Host: &others.Amp},
	{Host: &others.Crush},
	{Host: &others.Droid},
	{Host: &others.Goose},
	{Host: &others.Hermes},
	{Host: &others.OpenClaw},
}

// Dialects returns the standard dialects.
func Dialects() *dialects.Set { return dialects.New(list...) }

// Hosts returns what is known about all systems.
func Hosts() []*dialects.Host {
	out := make([]*dialects.Host, 0, len(list))
	for i := range list {
		if list[i].Host != nil {
			out = append(out, list[i].Host)
		}
	}
	return out
}

// Host returns what is known about a system, nil if nothing is.
func Host(name string) *dialects.Host {
	for i := range list {
		if list[i].Name() == name {
			return list[i].Host
		}
	}
	return nil
}

// Settings are the settings files of all hosts.
func Settings(yield func(tail string) bool) {
	for i := range list {
		if h := list[i].Host; h != nil {
			for _, tail := range h.Facts().Settings {
				if !yield(tail) {
					return
				}
			}
		}
	}
}

// Program finds the agent with a program of this name, nil if there is none.
func Program(name string) *dialects.Host {
	for i := range list {
		if h := list[i].Host; h != nil && h.Starts(name) {
			return h
		}
	}
	return nil
}

// OwnMark is the variable by which our own agent runtime marks what it starts.
const OwnMark = "TRAMMEL_AGENT_SESSION"

// Mark finds the variable by which an agent marks the shells that it starts,
// "" if no agent has started this process.
func Mark(getenv func(string) string) string {
	if getenv(OwnMark) != "" {
		return OwnMark
	}
	for i := range list {
		if h := list[i].Host; h != nil {
			for _, name := range h.Facts().Marks {
				if getenv(name) != "" {
					return name
				}
			}
		}
	}
	return ""
}

// Add adds a system, as if it had a line above, and returns a function that
// removes it. It is for programs that embed Trammel, before they use it, and
// for tests.
func Add(e dialects.Entry) (remove func()) {
	before := list
	list = append(slices.Clone(list), e)
	spell()
	return func() { list = before; spell() }
}

// spell has the names of events looked up in the list as it is now.
func spell() {
	trammel.Spell("dialects", func(add func(system, name string, kind trammel.Kind)) {
		for _, h := range Hosts() {
			for _, e := range h.Events() {
				add(h.System, e.Name, e.Kind)
			}
		}
	})
}

// The names of the events are looked up only when somebody asks for one in
// another spelling than ours.
func init() { spell() }
