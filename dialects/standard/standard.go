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
	"github.com/trammel-dev/trammel/dialects/vscode"
)

// Dialects returns the standard languages.
func Dialects() *dialects.Set {
	return dialects.New(
		native.New(),
		claudecode.New(),
		codex.New(),
		gemini.New(),
		qwen.New(),
		copilot.New(),
		cursor.New(),
		kiro.New(),
		vscode.New(),
		opencode.New(),
		pi.New(),
		dockeragent.New(),
		flowagents.New(),
	)
}
