// Package standard decides which languages both programs link: one line each.
package standard

import (
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/claudecode"
	"github.com/trammel-dev/trammel/dialects/codex"
	"github.com/trammel-dev/trammel/dialects/copilot"
	"github.com/trammel-dev/trammel/dialects/cursor"
	"github.com/trammel-dev/trammel/dialects/dockeragent"
	"github.com/trammel-dev/trammel/dialects/flowagents"
	"github.com/trammel-dev/trammel/dialects/gemini"
	"github.com/trammel-dev/trammel/dialects/kiro"
	"github.com/trammel-dev/trammel/dialects/native"
	"github.com/trammel-dev/trammel/dialects/opencode"
	"github.com/trammel-dev/trammel/dialects/pi"
	"github.com/trammel-dev/trammel/dialects/qwen"
	"github.com/trammel-dev/trammel/dialects/repohooks"
	"github.com/trammel-dev/trammel/dialects/vscode"
)

// Dialects returns the standard languages.
func Dialects() *dialects.Set { return dialects.New(list[:]...) }

var list = [...]dialects.Entry{
	{Name: "native", New: func() dialects.Dialect { return native.New() }},
	{Name: "claude-code", New: func() dialects.Dialect { return claudecode.New() }},
	{Name: "codex", New: func() dialects.Dialect { return codex.New() }},
	{Name: "gemini-cli", New: func() dialects.Dialect { return gemini.New() }},
	{Name: "qwen-code", New: func() dialects.Dialect { return qwen.New() }},
	{Name: "copilot-cli", New: func() dialects.Dialect { return copilot.New() }},
	{Name: "cursor", New: func() dialects.Dialect { return cursor.New() }},
	{Name: "kiro", New: func() dialects.Dialect { return kiro.New() }},
	{Name: "vscode", New: func() dialects.Dialect { return vscode.New() }},
	{Name: "opencode", New: func() dialects.Dialect { return opencode.New() }},
	{Name: "pi", New: func() dialects.Dialect { return pi.New() }},
	{Name: "docker-agent", New: func() dialects.Dialect { return dockeragent.New() }},
	{Name: "flow-agents", New: func() dialects.Dialect { return flowagents.New() }},
	{Name: "repohooks", New: func() dialects.Dialect { return repohooks.New() }},
}
