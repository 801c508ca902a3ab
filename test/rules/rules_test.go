// Package rules tests rules that people write on calls, through everything
// that an agent's call goes through: configuration, plan, index, engine.
package rules

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/effects/past"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/test/testfile"
	"github.com/trammel-dev/trammel/test/worldtest"
)

// machine is a user with a project, and one rule.
type machine struct {
	*full.Program
	project string
	past    trammel.State
}

func machineWith(t *testing.T, rule string) *machine {
	t.Helper()
	return machineIn(t, newDisk(t), "", rule)
}

// machineIn is a machine on a disk that others may share: its name tells their rules apart.
func machineIn(t *testing.T, disk, name, rule string) *machine {
	t.Helper()
	own := filepath.Join(disk, name)
	dirs := layers.Dirs{Machine: filepath.Join(own, "machine"), User: filepath.Join(own, "user"),
		State: filepath.Join(own, "state"), Cache: filepath.Join(own, "cache")}
	rule = strings.NewReplacer("UNTIL", time.Now().AddDate(0, 0, 30).Format(time.DateOnly), // of an exception
		"PROJ", filepath.Join(disk, "proj")).Replace(rule)
	testfile.Write(t, filepath.Join(dirs.User, "trammel.yaml"), "version: 1\nhooks:\n"+rule, 0o600)
	t.Setenv("HOME", filepath.Join(disk, "home"))
	return &machine{full.New(dirs), filepath.Join(disk, "proj"), state.NewMemory()}
}

// newDisk is a directory with a user's files and a project.
func newDisk(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"proj/.env": "A=b", "proj/db/migrations/1.sql": "",
		"proj/src/main.go": "", "proj/src/a": "x\n", "proj/ok.patch": "--- a/src/a\n+++ b/src/a\n@@ -1 +1 @@\n-x\n+y\n",
		"proj/bad.patch": "--- a/src/a\n+++ b/src/a\n@@ -1 +1 @@\n-x\n+y\n" +
			"diff --git a/db/migrations/1.sql b/db/migrations/1.sql\nold mode 100644\nnew mode 100755\n",
		"proj/config/a": "x\n", "proj/vault/key": "k\n",
		"proj/config/Makefile": "clean:\n\trm -f a\n",
		"proj/config/x.mk":     "all:\n\ttouch b\nclean:\n\trm -f config/a\n", "proj/certs/a.pem": "", "proj/deploy.sh": "", "proj/.git/HEAD": "",
		"proj/trammel.yaml": "version: 1\n", "home/.ssh/config": "Host build\n  HostName build.corp.example\n",
		"proj/.git/config": "[remote \"origin\"]\n\turl = git@code.corp.example:x.git\n[remote \"safe\"]\n\turl = https://ok.example/x\n" +
			"[branch \"main\"]\n\tremote = origin\n"} {
		testfile.Write(t, filepath.Join(root, name), content, 0o600)
	}
	return root
}

// event is a call: of a tool with arguments, or of a command.
func (m *machine) event(t *testing.T, host, tool, call string) *trammel.Event {
	t.Helper()
	input := map[string]any{"command": strings.ReplaceAll(call, `\n`, "\n")}
	if strings.HasPrefix(call, "{\"") {
		clear(input)
		if err := json.Unmarshal([]byte(strings.ReplaceAll(call, "PROJ", m.project)), &input); err != nil {
			t.Fatalf("%s: %v", call, err)
		}
	}
	ev := &trammel.Event{Kind: trammel.PreToolUse, Name: "PreToolUse", Host: host, Tool: &trammel.ToolCall{Name: tool, Input: input},
		Session: trammel.Session{ID: "s", Dir: m.project, Project: m.project}, World: worldtest.Only(filepath.Dir(m.project))}
	ev.Past = state.PastOf(m.past, ev)
	d, ok := m.Dialects.Host(host)
	if !ok {
		t.Fatalf("no host %s", host)
	}
	ev.Tools = dialects.ShapesFor(d, tool)
	return ev
}

// judge says what comes of a call: the decision, or rewrites.
func (m *machine) judge(t *testing.T, host, tool, call string) string {
	t.Helper()
	ev := m.event(t, host, tool, call)
	judged, err := m.Rehearse(context.Background(), ev, []string{m.project})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range judged.Verdict.Runs {
		if r.Code != "" {
			return "failed: " + r.Detail
		}
	}
	if v := judged.Verdict; v.Decision == trammel.None && v.Input != nil {
		return "rewrites"
	}
	return judged.Verdict.Decision.String()
}

// setUp does what the lines before the calls say: file NAME CONTENT and link NAME TARGET
// put something into the project, before TOOL CALL is a call that the session has made.
func (m *machine) setUp(t *testing.T, word, name, rest string) bool {
	t.Helper()
	switch word {
	case "file":
		testfile.Write(t, filepath.Join(m.project, name), strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(rest)+"\n", 0o600)
	case "link":
		if err := os.Symlink(rest, filepath.Join(m.project, name)); err != nil {
			t.Fatal(err)
		}
	case "before":
		ev := m.event(t, "claude-code", name, rest)
		ev.Past = state.PastOf(m.past, ev)
		ev.Prepare()
		for sort, items := range past.Of(ev, past.Sorts()) {
			if err := state.PastOf(m.past, ev).Add(context.Background(), sort, items...); err != nil {
				t.Fatal(err)
			}
		}
	default:
		return false
	}
	return true
}

// Every rule of the files with the calls below it: what is expected, the tool, and
// its arguments or command. See testdata/rules.txt.
func TestRules(t *testing.T) {
	var data []byte
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if filepath.Base(name) == "refused.txt" {
			continue
		}
		one, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		data = append(append(data, one...), "\n===\n"...)
	}
	pairs, shared := 0, newDisk(t)
	for n, block := range strings.Split(string(data), "\n===\n") {
		rule, calls, ok := strings.Cut(block, "\n---\n")
		if !ok {
			continue
		}
		disk := shared
		if strings.Contains("\n"+calls, "\nfile ") || strings.Contains("\n"+calls, "\nlink ") {
			disk = newDisk(t) // it is changed
		}
		m := machineIn(t, disk, strconv.Itoa(n), rule)
		if disk == shared {
			m.Remember = time.Hour // the rules
		}
		for line := range strings.Lines(calls) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			want, rest, _ := strings.Cut(line, " ")
			tool, call, _ := strings.Cut(rest, " ")
			if m.setUp(t, want, tool, call) {
				continue
			}
			host := "claude-code"
			if at, name, ok := strings.Cut(tool, "/"); ok {
				host, tool = at, name
			}
			pairs++
			if got := m.judge(t, host, tool, call); got != want {
				t.Errorf("%s\n%s %s: got %s, want %s", rule, tool, call, got, want)
			}
		}
	}
	if t.Logf("%d pairs", pairs); pairs < 900 {
		t.Errorf("only %d pairs", pairs)
	}
}

// enforcement 6: what can never match does not compile, and the message says how
// it is spelled. See testdata/refused.txt.
func TestDeadRulesAreRefused(t *testing.T) {
	data, err := os.ReadFile("testdata/refused.txt")
	if err != nil {
		t.Fatal(err)
	}
	disk := newDisk(t)
	for n, line := range strings.Split(string(data), "\n") {
		match, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok {
			continue
		}
		m := machineIn(t, disk, strconv.Itoa(n), "  - { id: dead, on: PreToolUse, match: "+match+", deny: x }\n")
		_, err := m.Rehearse(context.Background(), &trammel.Event{Kind: trammel.PreToolUse, Host: "claude-code",
			Tool: &trammel.ToolCall{Name: "Bash"}, Session: trammel.Session{Dir: m.project}}, []string{m.project})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "trammel.yaml:3:") {
			t.Errorf("%s: got %v, want %s", match, err, want)
		}
	}
}
