package backtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// bed is a project, and what Trammel keeps beside it.
type bed struct {
	t       testing.TB
	dirs    layers.Dirs
	project string
}

func newBed(t testing.TB, project, rules string) *bed {
	state := t.TempDir()
	b := &bed{t, layers.Dirs{State: state, Cache: filepath.Join(state, "cache")}, project}
	if project == "" {
		b.project = t.TempDir()
	}
	write(t, b.project, rules)
	p := full.New(b.dirs)
	seen, err := config.Review(b.dirs, b.project, full.Registry{Registry: p.Registry, Dialects: p.Dialects})
	if err == nil {
		err = seen.Accept(time.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t testing.TB, dir, rules string) string {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, layers.FileName), []byte("version: 1\nhooks:\n"+rules), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (b *bed) log() string {
	dir, err := pipeline.EvidenceDir(b.dirs, b.project)
	if err != nil {
		b.t.Fatal(err)
	}
	return dir
}

// happen has an agent call tools, as it would.
func (b *bed) happen(n int, call func(i int) (tool string, input map[string]any)) {
	b.t.Helper()
	p := full.New(b.dirs)
	p.Remember = time.Hour
	for i := range n {
		tool, input := call(i)
		payload, err := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": b.project, "tool_name": tool,
			"tool_input": input, "tool_use_id": fmt.Sprint("t", i)})
		if err != nil {
			b.t.Fatal(err)
		}
		p.Answer(context.Background(), pipeline.Call{Host: "claude-code", Event: "PreToolUse", Payload: payload, Dir: b.project})
	}
}

// repeat makes a log some times as long.
func (b *bed) repeat(times int) {
	b.t.Helper()
	var bodies [][]byte
	if err := evidence.Scan(b.log(), func(e evidence.Entry) error { bodies = append(bodies, slices.Clone(e.Body)); return nil }); err != nil {
		b.t.Fatal(err)
	}
	log := evidence.Open(b.log(), evidence.Options{})
	for range times - 1 {
		for _, body := range bodies {
			if _, err := log.Append(context.Background(), body); err != nil {
				b.t.Fatal(err)
			}
		}
	}
}

func (b *bed) run(dir string) *Report {
	b.t.Helper()
	set, err := Changed(b.dirs, b.project, dir)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.judge(set)
}

func (b *bed) judge(set *layers.Set) *Report {
	b.t.Helper()
	r, err := Run(context.Background(), Options{Dirs: b.dirs, Log: b.log(), Set: set})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// outcomes are what the records say, in their order.
func (b *bed) outcomes() (out []Outcome) {
	err := evidence.Scan(b.log(), func(e evidence.Entry) error {
		var r record
		err := r.read(e.Body)
		out = append(out, r.outcome())
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

const (
	push = `  - {id: no-push, on: pre_tool_use, match: {program: git}, deny: {when: 'args.has("push")', reason: no}}
`
	curl = `  - {id: ask-curl, on: pre_tool_use, match: {program: curl}, ask: {reason: sure?}}
`
	secrets = `  - {id: no-env, on: pre_tool_use, match: {action: [write, edit, read], path: "**/.env*"}, deny: {reason: no}}
`
	limit = `  - {id: few, on: pre_tool_use, use: rate-limit, with: {limits: [{max: 7, per: 1h, match: ["Bash"]}]}}
`
)

func mixed(i int) (string, map[string]any) {
	commands := []string{"git push origin main", "curl https://example.com/%d", "ls -l dir%d", "git status", "cd /tmp && git -C x push %d",
		"go test ./pkg%d", "echo %d | tee out"}
	switch i % 9 {
	case 7:
		return "Read", map[string]any{"file_path": fmt.Sprintf("a/%d/.env", i)}
	case 8:
		return "Read", map[string]any{"file_path": fmt.Sprintf("a/%d/main.go", i)}
	}
	command := commands[i%9]
	if strings.Contains(command, "%d") {
		command = fmt.Sprintf(command, i)
	}
	return "Bash", map[string]any{"command": command}
}

// TEAM-19: an unchanged configuration changes nothing; one without a rule changes
// exactly the records of that rule.
func TestBacktest(t *testing.T) {
	b := newBed(t, "", push+curl+secrets)
	const n = 10_080
	b.happen(n/40, mixed)
	b.repeat(40)
	same := b.run("")
	if same.Records != n || same.Replayed != n || same.Unchanged != n || len(same.Hooks)+len(same.Errors)+len(same.Apart) != 0 {
		t.Fatalf("unchanged: %+v", same)
	}
	dropped := b.run(write(t, t.TempDir(), curl+secrets))
	const pushes = 2 * n / 9
	if dropped.Loosened != pushes || dropped.Tightened != 0 || dropped.Unchanged != n-pushes || len(dropped.Hooks) != 1 ||
		dropped.Hooks[0].Hook != "no-push" || dropped.Hooks[0].Loosened != pushes {
		t.Errorf("dropped, of %d: %+v", pushes, dropped)
	}
}

func bytesOf(t *testing.T, r *Report) []byte {
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TEAM-19: what a replay says is what judging the same calls says, byte for byte
// each time.
func TestBacktestAgrees(t *testing.T) {
	const n = 60
	for name, rules := range map[string]string{
		"nothing": "  []\n", "stricter": push + curl + secrets + limit, "other": strings.Replace(push, "deny", "ask", 1) + secrets,
		"rewrite": "  - {id: dry, on: pre_tool_use, match: {program: git}, rewrite: {input: {command: 'command + \" --dry-run\"'}}}\n" + push,
		"memory":  "  - {id: leak, on: pre_tool_use, match: {program: curl}, deny: {when: 'session.read_secret', reason: no}}\n",
		"error":   "  - {id: bad, on: pre_tool_use, deny: {when: 'input.a.b == 1'}}\n",
	} {
		before := newBed(t, "", push+curl)
		before.happen(n, mixed)
		got := before.run(write(t, t.TempDir(), rules))
		if again := before.run(write(t, t.TempDir(), rules)); !bytes.Equal(bytesOf(t, got), bytesOf(t, again)) {
			t.Errorf("%s: %s\nand then %s", name, bytesOf(t, got), bytesOf(t, again))
		}
		after := newBed(t, before.project, rules)
		after.happen(n, mixed)
		want := newReport("")
		then, now := before.outcomes(), after.outcomes()
		for i := range then {
			want.matrix[[2]Outcome{then[i], now[i]}]++
		}
		if d := cmp.Diff(want.finish().Matrix, got.Matrix); d != "" || got.Replayed != n {
			t.Errorf("%s: %s%+v", name, d, got)
		}
		if (name == "error") != (len(got.Errors) == 1 && got.Errors[0].Count == n) {
			t.Errorf("%s: %+v", name, got.Errors)
		}
	}
}

// TEAM-19: what cannot be judged again is counted apart.
func TestBacktestApart(t *testing.T) {
	key := "ghp_" + "8kJ2mQ9xV4nB7tR1wZ5cY3dF6gH0jL2pS4aE"
	command := "curl -H 'Authorization: token " + key + "' https://example.com"
	for name, c := range map[string]struct {
		rules, change string
		tool          string
		input         map[string]any
		want          map[Apart]int
	}{
		"a rule about the command": {curl, curl, "Bash", map[string]any{"command": command}, map[Apart]int{Redacted: 1}},
		"a condition on it": {"  []\n", "  - {id: a, on: pre_tool_use, deny: {when: 'input.command contains \"x\"'}}\n", "Bash",
			map[string]any{"command": command}, map[Apart]int{Redacted: 1}},
		"a rule about another tool": {"  []\n", "  - {id: a, on: pre_tool_use, match: {tool: Read}, deny: {}}\n", "Bash",
			map[string]any{"command": command}, map[Apart]int{}},
		"a rule about the path": {secrets, secrets, "Write", map[string]any{"file_path": "a.txt", "content": key}, map[Apart]int{}},
		"a condition on another argument": {"  []\n", "  - {id: a, on: pre_tool_use, deny: {when: 'input.file_path == \"x\"'}}\n", "Write",
			map[string]any{"file_path": "a.txt", "content": key}, map[Apart]int{}},
		"a condition on the argument": {"  []\n", "  - {id: a, on: pre_tool_use, deny: {when: 'input.content == \"x\"'}}\n", "Write",
			map[string]any{"file_path": "a.txt", "content": key}, map[Apart]int{Redacted: 1}},
		"a condition on the text": {"  []\n", "  - {id: a, on: pre_tool_use, deny: {when: 'action.content == \"x\"'}}\n", "Write",
			map[string]any{"file_path": "a.txt", "content": key}, map[Apart]int{Redacted: 1}},
		"a program that was not asked": {"  []\n", "  - {id: p, on: pre_tool_use, run: 'false'}\n", "Read",
			map[string]any{"file_path": "a"}, map[Apart]int{NotReplayable: 1}},
	} {
		b := newBed(t, "", c.rules)
		b.happen(1, func(int) (string, map[string]any) { return c.tool, c.input })
		r := b.run(write(t, t.TempDir(), c.change))
		if d := cmp.Diff(c.want, r.Apart); d != "" || r.Replayed+len(c.want) != 1 || r.Unchanged != r.Replayed {
			t.Errorf("%s: %s%+v", name, d, r)
		}
	}
	b := newBed(t, "", push)
	b.dirs.User = t.TempDir()
	if err := os.WriteFile(filepath.Join(b.dirs.User, layers.FileName), []byte("version: 1\nevidence: {payload: none}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.happen(3, mixed)
	if r := b.run(""); r.Apart[NoPayload] != 3 || r.Replayed != 0 {
		t.Errorf("without payload: %+v", r)
	}
}

// TEAM-19: limits are counted by the time of the records.
func TestBacktestClock(t *testing.T) {
	b := newBed(t, "", push)
	b.happen(6, func(i int) (string, map[string]any) { return "Bash", map[string]any{"command": fmt.Sprint("ls ", i)} })
	var bodies [][]byte
	err := evidence.Scan(b.log(), func(e evidence.Entry) error {
		var r record
		if err := r.read(e.Body); err != nil {
			return err
		}
		old := `"time":"` + r.Time.Format(time.RFC3339Nano)
		body := strings.Replace(string(e.Body), old, `"time":"`+r.Time.Add(2*time.Hour).Format(time.RFC3339Nano), 1)
		bodies = append(bodies, []byte(strings.Replace(body, `"tool_use_id":"t`, `"tool_use_id":"later`, 1)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range bodies {
		if _, err := evidence.Open(b.log(), evidence.Options{}).Append(context.Background(), body); err != nil {
			t.Fatal(err)
		}
	}
	if r := b.run(write(t, t.TempDir(), push+limit)); r.Unchanged != 12 {
		t.Errorf("seven in an hour: %+v", r)
	}
	if r := b.run(write(t, t.TempDir(), push+strings.Replace(limit, "1h", "3h", 1))); r.Tightened != 5 {
		t.Errorf("seven in three hours: %+v", r)
	}
}

// TEAM-19: a program is not started; what it said counts as long as it is the same.
func TestBacktestPrograms(t *testing.T) {
	dir := t.TempDir()
	b := newBed(t, "", "  []\n")
	script, ran := filepath.Join(dir, "no.sh"), filepath.Join(dir, "ran")
	program := func(body string) {
		if err := os.WriteFile(script, []byte("#!/bin/sh\n"+body), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program("echo x >>" + ran + "; echo no >&2; exit 2\n")
	b.dirs.User = dir
	declare := func(more string) { write(t, dir, "  - {id: p, on: pre_tool_use, exec: [./no.sh]"+more+"}\n") }
	declare("")
	b.happen(4, mixed)
	if r := b.run(""); r.Unchanged != 4 || r.Matrix[0] != (Cell{Deny, Deny, 4}) {
		t.Errorf("the same: %+v", r)
	}
	declare(", match: {tool: Read}")
	if r := b.run(""); r.Loosened != 4 {
		t.Errorf("another match: %+v", r)
	}
	declare(", timeout: 3s, trial: true")
	if r := b.run(""); r.Loosened != 4 {
		t.Errorf("on trial: %+v", r)
	}
	declare(", dialect: codex")
	if r := b.run(""); r.Apart[NotReplayable] != 4 || r.Hooks[0].NotReplayable != 4 {
		t.Errorf("another dialect: %+v", r)
	}
	declare("")
	program("exit 0\n")
	if r := b.run(""); r.Apart[NotReplayable] != 4 {
		t.Errorf("another program: %+v", r)
	}
	if data, _ := os.ReadFile(ran); string(data) != "x\nx\nx\nx\n" {
		t.Errorf("it ran again: %q", data)
	}
}

// TEAM-19: a commit of the project, and revisions that do not exist.
func TestBacktestRevision(t *testing.T) {
	b := newBed(t, "", push)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"}} {
		if out, err := exec.Command("git", append([]string{"-C", b.project}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git: %v %s", err, out)
		}
	}
	write(t, b.project, curl)
	b.happen(9, mixed)
	set, err := AtRevision(context.Background(), b.dirs, b.project, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if r := b.judge(set); r.Loosened != 1 || r.Unchanged != 8 { // what is trusted stays in force until the new files are
		t.Errorf("%+v", r)
	}
	for _, rev := range []string{"nothing", "--help", "HEAD:trammel.yaml", ""} {
		if _, err := AtRevision(context.Background(), b.dirs, b.project, rev); err == nil {
			t.Errorf("%q was taken", rev)
		}
	}
	if _, err := Changed(b.dirs, b.project, t.TempDir()); err == nil {
		t.Error("a directory without configuration was taken")
	}
}
