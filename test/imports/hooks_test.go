package imports

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/extended"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policytest"
)

const claudeHooks = `{"hooks": {
  "PreToolUse": [
    {"matcher": "Bash|WebFetch", "hooks": [
      {"type": "command", "command": "if grep -q push; then echo no pushing >&2; exit 2; fi", "timeout": 20}]},
    {"matcher": "mcp__.*__delete", "hooks": [{"type": "command", "command": "sh", "args": ["-c", "echo kept >&2; exit 2"]}]},
    {"matcher": "mcp__memory", "hooks": [{"type": "command", "command": "exit 2"}]},
    {"matcher": "Read", "hooks": [{"type": "command", "command": "exit 7 # ~/trammel/x", "onFailure": "block"}]},
    {"matcher": "Glob", "hooks": [{"type": "command", "command": "exit 7"}]},
    {"matcher": "Grep", "hooks": [{"type": "command", "command": "exit 2", "async": true}]},
    {"hooks": [{"type": "prompt", "prompt": "Is this fine?"}]},
    {"hooks": [{"type": "command", "command": "trammel-hook claude-code PreToolUse"}]}],
  "Nope": [{"hooks": [{"type": "command", "command": "x"}]}],
  "SessionStart": [{"matcher": "startup", "hooks": [{"type": "command", "command": "x"}]}]
}}`

// TEAM-30: hooks of Claude Code run as they do there.
func TestImportedHooksRun(t *testing.T) {
	source := extended.Sources()[0]
	r, err := importers.Import(source, []importers.File{{Path: "settings.json", Data: []byte(claudeHooks)}},
		importers.Options{Check: full.New(trammel.Dirs{}).Compiles})
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []string
	for _, e := range r.Report {
		outcomes = append(outcomes, string(e.Outcome))
	}
	if got, want := strings.Join(outcomes, " "), "imported imported ignored imported imported imported refused ignored "+
		"refused"; got != want {
		t.Errorf("got %s, expected %s", got, want)
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"user", "project"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "user", "trammel.yaml"), []byte(r.YAML()), 0o600); err != nil {
		t.Fatal(err)
	}
	p := full.New(trammel.Dirs{Machine: filepath.Join(root, "machine"), User: filepath.Join(root, "user"), State: filepath.Join(root, "state"),
		Cache: filepath.Join(root, "cache")})
	runner := policytest.Runner{Program: &p.Program}
	for _, c := range []struct {
		tool, argument string
		want           trammel.Decision
		reason         string
	}{
		{"Bash", "git push", trammel.Deny, "no pushing"},
		{"Bash", "git pull", trammel.None, ""},
		{"Task", "push", trammel.None, ""},
		{"mcp__db__delete_all", "", trammel.Deny, "kept"},
		{"mcp__memory__read", "", trammel.None, ""},
		{"Read", "a", trammel.Deny, ""},
		{"Glob", "a", trammel.None, ""},
		{"Grep", "a", trammel.None, ""},
	} {
		input := map[string]any{"command": c.argument, "file_path": c.argument, "pattern": c.argument, "prompt": c.argument}
		judged, err := runner.Judge(context.Background(), filepath.Join(root, "project"), &policytest.Case{On: "PreToolUse", Tool: c.tool,
			Input: input})
		if err != nil {
			t.Fatal(err)
		}
		if v := judged.Verdict; v.Decision != c.want || !strings.Contains(v.Reason, c.reason) {
			t.Errorf("%s %s: %s %q\n%s", c.tool, c.argument, v.Decision, v.Reason, r.YAML())
		}
	}
}
