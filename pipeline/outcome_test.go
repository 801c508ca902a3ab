package pipeline_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/version"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/plan"
	"github.com/trammel-dev/trammel/test/testfile"
)

// What could not be judged is on record as what came of it.
func TestFailuresAreOnRecord(t *testing.T) {
	for _, c := range []struct{ event, payload, decision string }{
		{"PreToolUse", `{"hook_event_name":`, "deny"},
		{"", `{"hook_event_name":`, "deny"}, // it may be anything
		{"SessionEnd", `{"hook_event_name":`, "none"},
	} {
		p := newPlace(t, "")
		r := p.answer(t, c.event, c.payload)
		rec := p.records(t)[0]
		v, _ := rec["verdict"].(map[string]any)
		if decisionOf(rec) != c.decision || c.decision == "deny" && !strings.Contains(fmt.Sprint(v["reason"]), "unexpected EOF") {
			t.Errorf("%q: recorded as %v, replied %+v", c.event, rec["verdict"], r)
		}
	}
}

// A configuration that does not even lead to a project leaves a record of the
// denial all the same.
func TestABrokenConfigurationIsOnRecord(t *testing.T) {
	p := newPlace(t, "hooks: [{}]\n")
	if r := p.answer(t, "PreToolUse", p.pre("ls")); !denied(r) {
		t.Errorf("got %s", r.Stdout)
	}
	if rec := p.records(t)[0]; decisionOf(rec) != "deny" {
		t.Errorf("recorded as %v", rec["verdict"])
	}
}

// Problems with the configuration are reported when a session starts.
func TestNotesAreSaidAtTheStart(t *testing.T) {
	p := newPlace(t, "disabled: [no-such-hook]\nhooks: [{id: tests, on: stop, check: \"true\", timeout: 5m}]\n")
	r := p.answer(t, "SessionStart", fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"SessionStart","source":"startup"}`, p.project))
	if !bytes.Contains(r.Stdout, []byte("no-such-hook")) || bytes.Contains(r.Stdout, []byte("qwen-code")) { // which is another agent
		t.Errorf("got %s", r.Stdout)
	}
	if r := p.answer(t, "PreToolUse", p.pre("ls")); bytes.Contains(r.Stdout, []byte("no-such-hook")) {
		t.Errorf("said with every call: %s", r.Stdout)
	}
}

// TEAM-07: in a project that is not trusted, the first event of a session says so,
// whatever it is, with the command that mends it, and no other event does.
func TestTheFirstEventSaysWhatToDo(t *testing.T) {
	p := newPlace(t, "")
	rules := filepath.Join(p.project, "trammel.yaml")
	write := func(text string) {
		if err := os.WriteFile(rules, []byte("version: 1\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("hooks: [{id: x, on: pre_tool_use, match: {program: rm}, deny: no}]\n")
	said := func(event, session, command string) int {
		payload := strings.Replace(p.pre(command), `"session_id":"s"`, `"session_id":"`+session+`"`, 1)
		r := p.answer(t, event, strings.Replace(payload, "PreToolUse", event, 1))
		return bytes.Count(r.Stdout, []byte("trammel trust "+p.project))
	}
	for i, c := range []struct {
		event, session, command string
		want                    int
	}{
		{"PreToolUse", "s", "ls", 1}, {"PreToolUse", "s", "ls", 0}, {"PostToolUse", "s", "ls", 0}, {"PreToolUse", "s", "rm x", 0},
		{"PreToolUse", "other", "rm x", 1}, {"PreToolUse", "other", "ls", 0}, {"PostToolUse", "third", "ls", 1}, {"PreToolUse", "third", "ls", 0},
	} {
		if got := said(c.event, c.session, c.command); got != c.want {
			t.Errorf("event %d: said %d times, expected %d", i, got, c.want)
		}
	}
	write("requires: \">=99\"\nhooks: [{id: x, on: pre_tool_use, match: {program: rm}, deny: no}]\n")
	r := p.answer(t, "SessionStart", fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"SessionStart","source":"startup"}`, p.project))
	if !bytes.Contains(r.Stderr, []byte(version.Install)) || r.Exit != 1 { // which the host shows its user
		t.Errorf("outdated: %d %s", r.Exit, r.Stderr)
	}
	if r := p.answer(t, "PreToolUse", p.pre("ls")); !denied(r) || !bytes.Contains(r.Stdout, []byte(version.Install)) {
		t.Errorf("outdated: %s", r.Stdout)
	}
}

// TEAM-07: in a project that has rules and does not wire the agent, the first event
// says so, with the command that fixes it, and no other event of any session does.
func TestTheFirstEventSaysThatTheProjectIsNotWired(t *testing.T) {
	p := newPlace(t, "")
	said := func(session string) bool {
		r := p.answer(t, "PreToolUse", strings.Replace(p.pre("ls"), `"session_id":"s"`, `"session_id":"`+session+`"`, 1))
		return bytes.Contains(r.Stdout, []byte("trammel init --scope project claude-code"))
	}
	write := func(name, text string) {
		testfile.Write(t, filepath.Join(p.project, name), text, 0o600)
	}
	if said("before") {
		t.Error("said without rules of the project")
	}
	write(".claude/settings.json", `{"hooks": {"PreToolUse": [{"hooks": [{"command": "trammel-hook claude-code PreToolUse"}]}]}}`)
	write("trammel.yaml", "version: 1\nhooks: [{id: x, on: pre_tool_use, match: {program: rm}, deny: no}]\n")
	if said("wired") {
		t.Error("said in a project that wires the agent")
	}
	write(".claude/settings.json", "{}")
	if !said("first") || said("first") || said("second") {
		t.Error("expected it with the first event, and with no other")
	}
}

// A host that ends stops by itself is not helped.
func TestStopsOfOtherHostsAreNotCapped(t *testing.T) {
	p := newPlace(t, "hooks:\n  - {id: tests, on: Stop, deny: Run the tests.}\n")
	for n := range 7 {
		r := p.answer(t, "Stop", fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"Stop"}`, p.project))
		if !bytes.Contains(r.Stdout, []byte(`"decision":"block"`)) {
			t.Fatalf("stop %d: %s", n+1, r.Stdout)
		}
	}
}

// Another prompt after a stop hook's reason is a person's.
func TestAnotherPromptIsAPersons(t *testing.T) {
	p := newPlace(t, `hooks:
  - {id: tests, on: Stop, deny: Run the tests first.}
  - {id: person, on: UserPromptSubmit, context: {when: '!synthetic', text: A person speaks.}}
`)
	p.answer(t, "Stop", fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"Stop"}`, p.project))
	r := p.answer(t, "UserPromptSubmit", `{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"Write the docs."}`)
	if !bytes.Contains(r.Stdout, []byte("A person speaks.")) {
		t.Errorf("got %s", r.Stdout)
	}
}

// hasty is a host that waits only for a moment.
type hasty struct{ trammel.HostDialect }

func (h hasty) Powers(k trammel.Kind) trammel.Powers {
	p := h.HostDialect.Powers(k)
	p.Deadline = 2 * time.Second
	return p
}

// A program that hangs after it has read the event is answered for, before the
// host gives up, and the next event puts it on record.
func TestAHungProgramIsAnsweredFor(t *testing.T) {
	p := newPlace(t, "")
	claude, _ := p.Dialects.Host("claude-code")
	p.Dialects = dialects.New(dialects.Entry{Dialect: hasty{claude}})
	expired := make(chan trammel.Reply, 1)
	p.Watchdog = pipeline.Watch(nil, func(r trammel.Reply, then func()) { then(); expired <- r })
	load, hang := p.Load, make(chan struct{})
	p.Load = func(set *layers.Set) (*plan.Plan, error) { <-hang; return load(set) }
	done := make(chan struct{})
	go func() {
		p.Answer(context.Background(), p.call("PreToolUse", strings.NewReader(p.pre("ls"))))
		close(done)
	}()
	select {
	case r := <-expired:
		if !denied(r) || !bytes.Contains(r.Stdout, []byte("no verdict in time")) {
			t.Errorf("got %+v", r)
		}
	case <-time.After(time.Minute):
		t.Error("nobody replied")
	}
	close(hang)
	<-done
}

// A note that cannot be put on record waits for the next event.
func TestANoteIsNotLost(t *testing.T) {
	p := newPlace(t, "")
	notes := filepath.Join(p.Dirs.State, "unanswered")
	if err := os.MkdirAll(notes, 0o700); err != nil {
		t.Fatal(err)
	}
	note := fmt.Sprintf(
		`{"time":"2026-01-01T00:00:00Z","host":"claude-code","event":"pre_tool_use","dirs":[%q],"denied":true,"code":"timeout"}`,
		filepath.Join(filepath.Dir(p.project), "other"))
	if err := os.WriteFile(filepath.Join(notes, "1-1.json"), []byte(note), 0o600); err != nil {
		t.Fatal(err)
	}
	other, err := pipeline.EvidenceDir(p.Dirs, layers.Root(p.Dirs, filepath.Join(filepath.Dir(p.project), "other")))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(other), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, nil, 0o600); err != nil { // no log can be there
		t.Fatal(err)
	}
	p.answer(t, "PreToolUse", p.pre("ls"))
	if _, err := os.Lstat(filepath.Join(notes, "1-1.json")); err != nil {
		t.Errorf("the note is lost: %v", err)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	p.answer(t, "PreToolUse", p.pre("ls"))
	if _, err := os.Lstat(notes); err == nil {
		t.Error("the note is still there")
	}
}

// A rehearsal counts nothing, and explain shows the run of a guard that rewrote.
func TestARehearsalLeavesNoTrace(t *testing.T) {
	p := newPlace(t, `hooks:
  - {id: few, on: PreToolUse, use: rate-limit, with: {limits: [{max: 1, per: 1h}]}}
  - {id: tidy, on: PreToolUse, may: guard, rewrite: {input: {command: '"ls -l"'}}}
`)
	event := func() *trammel.Event {
		return &trammel.Event{Kind: trammel.PreToolUse, Host: "claude-code", Session: trammel.Session{ID: "s", Dir: p.project},
			Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls"}}}
	}
	for range 3 {
		j, err := p.Rehearse(t.Context(), event(), []string{p.project})
		if err != nil || j.Verdict.Decision == trammel.Deny {
			t.Fatalf("%v %v", j.Verdict, err)
		}
	}
	_, list, err := p.Explain(t.Context(), event(), []string{p.project})
	if err != nil || len(list) != 2 {
		t.Fatalf("%v %v", list, err)
	}
	for _, e := range list {
		if e.Hook.ID == "tidy" && (e.Run == nil || !e.Run.Answer.Rewrites()) {
			t.Errorf("the rewrite is not explained: %+v", e.Run)
		}
	}
	if v, err := p.Dispatch(t.Context(), event()); err != nil || v.Decision == trammel.Deny {
		t.Errorf("the first call counts as more: %v %v", v, err)
	}
	if v, _ := p.Dispatch(t.Context(), event()); v.Decision != trammel.Deny {
		t.Errorf("the second call: %v", v)
	}
}

// Whoever embeds us without saying where is judged by what holds where they are.
func TestDispatchLooksWhereItIs(t *testing.T) {
	p := newPlace(t, "")
	if err := os.WriteFile(filepath.Join(p.project, "trammel.yaml"),
		[]byte("version: 1\nhooks:\n  - {id: no, on: PreToolUse, match: {program: ls}, deny: x}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(p.project)
	v, err := p.Dispatch(t.Context(), &trammel.Event{Kind: trammel.PreToolUse,
		Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls"}}})
	if err != nil || v.Decision != trammel.Deny {
		t.Errorf("%v %v", v, err)
	}
}

// A host's contract brings policies along. One that is configured is left as it
// is configured, what the settings fix no variable changes, and a call of one
// policy asks only that one.
func TestTheBaselineOfAHost(t *testing.T) {
	const edit = `{"tool_name":"Edit","tool_input":{"file_path":"%s/.eslintrc.json","old_string":"a","new_string":"b"},"cwd":"%s"}`
	blocked := func(t *testing.T, config, only string, env map[string]string) bool {
		t.Helper()
		p := newPlace(t, config)
		r := p.Answer(t.Context(), pipeline.Call{Host: "flow-agents", Event: "PreToolUse", Dir: p.project, Only: only,
			Stdin: strings.NewReader(fmt.Sprintf(edit, p.project, p.project)), Getenv: func(name string) string { return env[name] }})
		return r.Exit == 2
	}
	off := map[string]string{"SA_DISABLED_HOOKS": "config-protection"}
	for _, c := range []struct {
		name, config, only string
		env                map[string]string
		want               bool
	}{
		{"by itself", "", "", nil, true},
		{"switched off by a variable", "", "", off, false},
		{"the variable has no say", "flow: {environment: false}\n", "", off, true},
		{"switched off by the settings", "flow: {disabled: [config-protection]}\n", "", nil, false},
		{"called by name", "", "config-protection", nil, true},
		{"another one is called", "", "quality-gate", nil, false},
		{"configured to be quiet", "hooks:\n  - {id: c, use: config-protection, trial: true}\n", "", nil, false},
		{"something else is configured", "hooks:\n  - {id: c, on: PreToolUse, match: {program: ls}, deny: x}\n", "", nil, true},
	} {
		if got := blocked(t, c.config, c.only, c.env); got != c.want {
			t.Errorf("%s: blocked %v, want %v", c.name, got, c.want)
		}
	}
}

// The contract of Flow Agents lets through what cannot be read, but not what
// guards that a person has configured have to judge.
func TestWhatAContractLetsThrough(t *testing.T) {
	huge := fmt.Sprintf(`{"tool_name":"Bash","tool_input":{"command":%q}}`, strings.Repeat("x", 2<<20))
	for config, want := range map[string]int{"": 0, "hooks:\n  - {id: g, on: PreToolUse, match: {program: rm}, deny: x}\n": 2,
		"hooks:\n  - {id: o, on: PostToolUse, run: 'true'}\n": 0} {
		p := newPlace(t, "flow: {disabled: [config-protection]}\n"+config)
		r := p.Answer(t.Context(), pipeline.Call{Host: "flow-agents", Event: "PreToolUse", Dir: p.project, Stdin: strings.NewReader(huge)})
		if r.Exit != want {
			t.Errorf("%q: exit %d, want %d: %s", config, r.Exit, want, r.Stderr)
		}
	}
}
