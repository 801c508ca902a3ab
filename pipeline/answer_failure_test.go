package pipeline_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
)

// bomb is a payload whose reading panics: whatever breaks within us is a reply.
type bomb struct{}

func (bomb) Read([]byte) (int, error) { panic("a bug of ours") }

func TestOurOwnPanicIsAReply(t *testing.T) {
	p := newPlace(t, "")
	r := p.Answer(t.Context(), p.call("PreToolUse", bomb{}))
	if !denied(r) || !bytes.Contains(r.Stdout, []byte("a bug of ours")) {
		t.Errorf("got %s", r.Stdout)
	}
	recs := p.records(t)
	if e, _ := recs[0]["error"].(map[string]any); e["code"] != "panic" {
		t.Errorf("recorded as %v", recs[0]["error"])
	}
}

// What breaks may be the record itself, also when the failure is recorded: the
// call is denied all the same.
func TestPanicOfTheRecordIsAReply(t *testing.T) {
	p := newPlace(t, "")
	p.Sink = func(context.Context, *evidence.Record) error { panic("a bug in the record") }
	r := p.Answer(t.Context(), p.call("PreToolUse", strings.NewReader(`{"session_id":"s","cwd":"/","hook_event_name":"PreToolUse",`+
		`"tool_name":"Bash","tool_input":{"command":"ls"}}`)))
	if !denied(r) || !bytes.Contains(r.Stdout, []byte("a bug in the record")) {
		t.Errorf("got %s", r.Stdout)
	}
}

// Every way in which a guard can fail blocks, and is recorded with its code.
func TestFailingGuards(t *testing.T) {
	p := newPlace(t, `hooks:
  - {id: crash, on: PreToolUse, match: {tool: Crash}, run: exit 3}
  - {id: timeout, on: PreToolUse, match: {tool: Timeout}, run: sleep 60, timeout: 200ms}
  - {id: noise, on: PreToolUse, match: {tool: Noise}, run: echo hello}
  - {id: flood, on: PreToolUse, match: {tool: Flood}, run: 'head -c 3000000 /dev/zero | tr "\0" x'}
  - {id: overreach, on: PreToolUse, match: {tool: Overreach}, run: 'echo "{\"output\":\"x\"}"'}
  - {id: field, on: PreToolUse, match: {tool: Field}, run: 'echo "{\"decisionn\":\"deny\"}"'}
  - {id: missing, on: PreToolUse, match: {tool: Missing}, exec: [/no/such/program]}
  - {id: expression, on: PreToolUse, match: {tool: Expression}, deny: {when: 'input.a.b.c == 1'}}
`)
	for tool, code := range map[string]string{"Crash": "crash", "Timeout": "timeout", "Noise": "malformed_output", "Flood": "oversized_output",
		"Overreach": "authority", "Field": "unknown_field", "Missing": "unavailable", "Expression": "error"} {
		r := p.answer(t, "PreToolUse", fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"PreToolUse","tool_name":%q,"tool_input":{}}`,
			p.project, tool))
		if !denied(r) {
			t.Errorf("%s: exit %d, %s%s", tool, r.Exit, r.Stdout, r.Stderr)
		}
		recs := p.records(t)
		hooks, _ := recs[len(recs)-1]["hooks"].([]any)
		if len(hooks) != 1 {
			t.Errorf("%s: %d hooks recorded", tool, len(hooks))
			continue
		}
		if h := hooks[0].(map[string]any); h["code"] != code || h["blocked"] != true {
			t.Errorf("%s: recorded as %v, blocked %v", tool, h["code"], h["blocked"])
		}
	}
}

// What a host cannot take now waits for the next event of the session that can.
func TestContextIsKept(t *testing.T) {
	p := newPlace(t, `hooks:
  - {id: note, on: Stop, context: Remember the milk.}
`)
	if r := p.answer(t, "Stop", `{"session_id":"s","hook_event_name":"Stop"}`); len(r.Stdout) != 0 {
		t.Errorf("at stop: %s", r.Stdout)
	}
	other := p.answer(t, "UserPromptSubmit", `{"session_id":"t","hook_event_name":"UserPromptSubmit","prompt":"x"}`)
	mine := p.answer(t, "UserPromptSubmit", `{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"x"}`)
	again := p.answer(t, "UserPromptSubmit", `{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"x"}`)
	if len(other.Stdout) != 0 || !bytes.Contains(mine.Stdout, []byte("Remember the milk.")) || len(again.Stdout) != 0 {
		t.Errorf("other session %q, same session %q, again %q", other.Stdout, mine.Stdout, again.Stdout)
	}
	recs := p.records(t)
	d, _ := recs[0]["degraded"].([]any)
	if len(d) != 1 || d[0].(map[string]any)["wanted"] != "context" {
		t.Errorf("the degradation is not recorded: %v", recs[0]["degraded"])
	}
}

// A hook that was written for Claude Code runs as it is.
func TestClaudeCodeHookPrograms(t *testing.T) {
	p := newPlace(t, `hooks:
  - id: old
    on: PreToolUse
    dialect: claude-code
    run: |
      grep -q '"tool_name":"Bash"' || exit 1
      echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",'
      echo '"permissionDecisionReason":"the old hook says no"}}'
`)
	if r := p.answer(t, "PreToolUse", p.pre("ls")); !denied(r) || !bytes.Contains(r.Stdout, []byte("the old hook says no")) {
		t.Errorf("got %s", r.Stdout)
	}
}

// There is one reply, also if the watchdog and the answer come together.
func TestThereIsOneReply(t *testing.T) {
	var exits atomic.Int32
	var out bytes.Buffer
	m := &pipeline.Responder{Stdout: &out, Stderr: io.Discard, Exit: func(int) { exits.Add(1) }}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { m.Send(trammel.Reply{Stdout: []byte("reply")}) })
	}
	wg.Wait()
	if exits.Load() != 1 || out.String() != "reply" {
		t.Errorf("%d exits, %q", exits.Load(), out.String())
	}
}

// endless is a host that lets stop hooks go on forever.
type endless struct{ trammel.HostDialect }

func (e endless) Powers(k trammel.Kind) trammel.Powers {
	p := e.HostDialect.Powers(k)
	p.Endless = true
	return p
}

// A stop that the same hooks keep denying is let through in the end, where the
// host has no limit of its own; other findings are counted separately.
func TestStopsAreCapped(t *testing.T) {
	p := newPlace(t, `hooks:
  - {id: tests, on: Stop, deny: {when: 'stop.message contains "tests"', reason: Run the tests.}}
  - {id: docs, on: Stop, deny: {when: 'stop.message contains "docs"', reason: Write the docs.}}
`)
	claude, _ := p.Dialects.Host("claude-code")
	p.Dialects = dialects.New(dialects.Entry{Dialect: endless{claude}})
	blocked := func(session, message string) bool {
		r := p.answer(t, "Stop", fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":"Stop","last_assistant_message":%q}`, session,
			p.project, message))
		return bytes.Contains(r.Stdout, []byte(`"decision":"block"`))
	}
	for n := range 5 {
		if !blocked("s", fmt.Sprint("no tests, turn ", n)) {
			t.Fatalf("stop %d was not blocked", n+1)
		}
	}
	if blocked("s", "no tests") {
		t.Error("the sixth stop was blocked, too")
	}
	if !blocked("s", "no docs") || !blocked("other", "no tests") {
		t.Error("another finding, or another session, is not counted separately")
	}
	d, _ := p.records(t)[5]["degraded"].([]any)
	if len(d) != 1 || d[0].(map[string]any)["wanted"] != "block stop" {
		t.Errorf("recorded as %v", d)
	}
}

// An evidence lock that somebody holds does not hold up the answer forever.
func TestAHeldLockIsNotWaitedForLong(t *testing.T) {
	p := newPlace(t, "")
	p.answer(t, "PreToolUse", p.pre("ls"))
	dir, err := pipeline.EvidenceDir(p.Dirs, layers.Root(p.Dirs, p.project))
	if err != nil {
		t.Fatal(err)
	}
	held, err := flock.Lock(t.Context(), filepath.Join(dir, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	if r := p.answer(t, "PreToolUse", p.pre("ls")); !denied(r) || !bytes.Contains(r.Stdout, []byte("could not record")) {
		t.Errorf("got %s", r.Stdout)
	}
}

// A stop hook's reason that comes back as a prompt is not a person's prompt.
func TestOurOwnReasonIsNotAPrompt(t *testing.T) {
	p := newPlace(t, `hooks:
  - {id: tests, on: Stop, deny: Run the tests first.}
  - {id: person, on: UserPromptSubmit, context: {when: '!synthetic', text: A person speaks.}}
`)
	prompt := func(text string) bool {
		r := p.answer(t, "UserPromptSubmit", fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"UserPromptSubmit","prompt":%q}`,
			p.project, text))
		return bytes.Contains(r.Stdout, []byte("A person speaks."))
	}
	if !prompt("Run the tests first.") {
		t.Error("a person's prompt was taken for ours")
	}
	p.answer(t, "Stop", fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"Stop"}`, p.project))
	if prompt("Stop hook feedback: Run the tests first.") {
		t.Error("our own reason was taken for a person's prompt")
	}
	if !prompt("Run the tests first.") {
		t.Error("a reason is taken for ours only once")
	}
}

// The limit is the settings' to raise and to lower.
func TestTheLimitOfPayloads(t *testing.T) {
	big := strings.Repeat("x", 3<<19) // 1.5 MiB
	for config, blocked := range map[string]bool{"": true, "limits: {payload: 4MiB}\n": false} {
		p := newPlace(t, config)
		if r := p.answer(t, "PreToolUse", p.pre("echo "+big)); denied(r) != blocked {
			t.Errorf("%q: denied %v, want %v: %.200s", config, denied(r), blocked, r.Stdout)
		}
	}
	p := newPlace(t, "limits: {payload: 1KiB}\n")
	if r := p.answer(t, "PreToolUse", p.pre(strings.Repeat("x", 2000))); !denied(r) {
		t.Errorf("a limit below the default does not hold: %.200s", r.Stdout)
	}
}

// What the settings say of evidence is what happens.
func TestEvidenceSettings(t *testing.T) {
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	for config, want := range map[string]struct{ payload, secret bool }{
		"": {true, false}, "evidence: {payload: none}\n": {false, false}, "evidence: {payload: full}\n": {true, true},
	} {
		p := newPlace(t, config)
		p.answer(t, "PreToolUse", p.pre("export T="+secret))
		rec := p.records(t)[0]
		if _, has := rec["payload"]; has != want.payload || strings.Contains(fmt.Sprint(rec["payload"]), secret) != want.secret {
			t.Errorf("%q: payload %v", config, rec["payload"])
		}
	}
	for config, blocked := range map[string]bool{"": true, "evidence: {on_error: warn}\n": false} {
		p := newPlace(t, config)
		if err := os.WriteFile(p.Dirs.State, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		r := p.answer(t, "PreToolUse", p.pre("ls"))
		if denied(r) != blocked || !bytes.Contains(r.Stdout, []byte("could not record")) {
			t.Errorf("%q: %s", config, r.Stdout)
		}
	}
}

// The settings' deadline ends a hook that has no timeout of its own.
func TestDeadlineSetting(t *testing.T) {
	p := newPlace(t, "deadline: 300ms\nhooks:\n  - {id: slow, on: PreToolUse, run: sleep 60}\n")
	if r := p.answer(t, "PreToolUse", p.pre("ls")); !denied(r) || !bytes.Contains(r.Stdout, []byte("timeout")) {
		t.Errorf("got %s", r.Stdout)
	}
}
