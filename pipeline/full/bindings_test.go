package full

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/overrule"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/test/testfile"
)

// A process that judges many events builds hooks once per configuration: two that
// share an id stay two, many events at once use them, a pause holds while it lasts,
// and a change is seen as soon as the configuration is looked for again.
func TestBuiltOnce(t *testing.T) {
	root := t.TempDir()
	write := func(file, text string) {
		t.Helper()
		testfile.Write(t, filepath.Join(root, file), text, 0o600)
	}
	rule := func(program, reason string) string {
		return "version: 1\nhooks:\n  - {id: a, on: PreToolUse, match: {program: " + program + "}, deny: " + reason + "}\n"
	}
	write("user/trammel.yaml", rule("rm", "yours"))
	write("project/trammel.yaml", rule("mv", "theirs"))
	p := New(layers.Dirs{Machine: filepath.Join(root, "machine"), User: filepath.Join(root, "user"), State: filepath.Join(root, "state"),
		Cache: filepath.Join(root, "cache")})
	p.Remember = time.Hour
	judge := func(p *Program, command, want string) {
		t.Helper()
		dir := filepath.Join(root, "project")
		v, err := p.Dispatch(t.Context(), &trammel.Event{Kind: trammel.PreToolUse, Host: "claude-code",
			Session: trammel.Session{ID: "s", Dir: dir}, Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": command}}})
		if err != nil || !strings.Contains(v.Reason, want) || (want == "") != (v.Decision < trammel.Ask) {
			t.Errorf("%s: %v, %q, %v", command, v.Decision, v.Reason, err)
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			judge(p, "rm x", "yours")
			judge(p, "mv x y", "theirs")
			judge(p, "ls", "")
		})
	}
	wg.Wait()
	pause := overrule.PauseFile(p.Dirs.State)
	p.Paused = func(*pipeline.Config) *pipeline.Pausing { return &pipeline.Pausing{Until: time.Now().Add(time.Hour)} }
	write(filepath.Join("state", "approvals", filepath.Base(pause)), "x")
	if err := os.Chtimes(pause, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	judge(p, "rm x", "")
	if err := os.Remove(pause); err != nil {
		t.Fatal(err)
	}
	judge(p, "rm x", "yours")
	write("user/trammel.yaml", rule("rm", "changed"))
	judge(p, "rm x", "yours") // for as long as it is remembered
	q := New(p.Dirs)
	q.Remember = time.Nanosecond
	judge(q, "rm x", "changed")
	was, err := q.ConfigFor(&trammel.Event{Session: trammel.Session{Dir: filepath.Join(root, "project")}})
	judge(q, "rm x", "changed")
	now, nowErr := q.ConfigFor(&trammel.Event{Session: trammel.Session{Dir: filepath.Join(root, "project")}})
	if err != nil || nowErr != nil || was.Plan != now.Plan {
		t.Errorf("the same files are loaded again: %v, %v", err, nowErr)
	}
	write("user/trammel.yaml", rule("rm", "changed again"))
	judge(q, "rm x", "changed again")
}
