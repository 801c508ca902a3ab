package opencode

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

var _ trammel.HostDialect = &Dialect

func TestHost(t *testing.T) {
	dialectsuite.Host(t, &Dialect, &Host, dialectsuite.Wire{
		Good: `{"event":"tool.execute.before","directory":"/p","worktree":"/p","input":{"tool":"bash","sessionID":"s","callID":"t"},` +
			`"output":{"args":{"command":"ls"}}}`,
		EventField: `"event":"tool.execute.before",`, ToolKey: "tool", ToolName: "bash", Input: `{"command":"ls"}`,
		Event: "tool.execute.before", OtherEvent: "session.error",
	})
}

// FLOW-60, the defects of the reference: what opencode calls args and filePath
// has to reach a policy as a command and a path (2), and the events have to be
// known for what they are (4).
func TestNothingIsInert(t *testing.T) {
	dialectsuite.NothingIsInert(t, &Dialect, map[string]dialectsuite.Reached{
		"write biome.json": {
			`{"event":"tool.execute.before","input":{"tool":"write","sessionID":"s"},"output":{"args":{"filePath":"biome.json","content":"{}"}}}`,
			trammel.PreToolUse, trammel.Action{Kind: trammel.WriteAction, Paths: []string{"biome.json"}, Content: "{}"}},
		"edit .eslintrc.json": {
			`{"event":"tool.execute.before","input":{"tool":"edit"},"output":{"args":{"filePath":".eslintrc.json","newString":"x"}}}`,
			trammel.PreToolUse, trammel.Action{Kind: trammel.EditAction, Paths: []string{".eslintrc.json"}, Content: "x"}},
		"git commit --no-verify": {
			`{"event":"tool.execute.before","input":{"tool":"bash"},"output":{"args":{"command":"git commit --no-verify"}}}`,
			trammel.PreToolUse, trammel.Action{Kind: trammel.ShellAction, Command: "git commit --no-verify"}},
		"after a write": {`{"event":"tool.execute.after","input":{"tool":"write","args":{"filePath":"a.ts"}},"output":{"output":"ok"}}`,
			trammel.PostToolUse, trammel.Action{Kind: trammel.WriteAction, Paths: []string{"a.ts"}}},
		"session.created": {`{"event":"event","input":{"type":"session.created","properties":{}}}`, trammel.SessionStart, trammel.Action{}},
		"chat.message":    {`{"event":"chat.message","input":{},"output":{"parts":[]}}`, trammel.UserPromptSubmit, trammel.Action{}},
	})
}

// Outside of a repository the worktree is /, and that is no project: approvals
// and evidence would be those of the whole machine.
func TestNoRepositoryIsNoProject(t *testing.T) {
	for worktree, want := range map[string]string{"/": "", "/src/app": "/src/app"} {
		for _, raw := range []string{
			`{"event":"tool.execute.before","directory":"/src/app","worktree":"` + worktree + `","input":{"tool":"bash"},"output":{"args":{}}}`,
			`{"event":"plugin.init","directory":"/src/app","input":{"directory":"/src/app","worktree":"` + worktree + `"}}`,
		} {
			ev, err := Dialect.DecodeEvent([]byte(raw), "")
			if err != nil || ev.Session.Project != want {
				t.Errorf("%s: project %q, %v", raw, ev.Session.Project, err)
			}
		}
	}
}

func TestUnwritableRewriteDenies(t *testing.T) {
	dialectsuite.UnwritableRewriteDenies(t, &Dialect, "bash", `"block":true`)
}

func FuzzDecodeEvent(f *testing.F) { dialectsuite.Fuzz(f, &Dialect) }
