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
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
)

// place is a program with directories of its own, and a project.
type place struct {
	*full.Program
	project string
}

func newPlace(t *testing.T, config string) place {
	t.Helper()
	dir := t.TempDir()
	dirs := layers.Dirs{Machine: filepath.Join(dir, "m"), User: filepath.Join(dir, "u"), State: filepath.Join(dir, "s"),
		Cache: filepath.Join(dir, "c")}
	project := filepath.Join(dir, "p")
	for _, d := range []string{dirs.User, project} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dirs.User, "trammel.yaml"), []byte("version: 1\n"+config), 0o600); err != nil {
		t.Fatal(err)
	}
	return place{full.New(dirs), project}
}

func (p place) call(event string, stdin io.Reader) pipeline.Call {
	return pipeline.Call{Host: "claude-code", Event: event, Stdin: stdin, Dir: p.project, Getenv: func(string) string { return "" }}
}

func (p place) answer(t *testing.T, event, payload string) trammel.Reply {
	t.Helper()
	return p.Answer(t.Context(), p.call(event, strings.NewReader(payload)))
}

func (p place) pre(command string) string {
	return fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":%q}}`,
		p.project, command)
}

// records reads the evidence that was left.
func (p place) records(t *testing.T) []map[string]any {
	t.Helper()
	dir, err := pipeline.EvidenceDir(p.Dirs, layers.Root(p.Dirs, p.project))
	if err != nil {
		t.Fatal(err)
	}
	rep, err := evidence.Verify(dir)
	if err != nil || rep.Broken != nil {
		t.Fatalf("%v, %v", err, rep.Broken)
	}
	var out []map[string]any
	err = evidence.Scan(dir, func(e evidence.Entry) error {
		r, err := e.Record()
		out = append(out, r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func denied(r trammel.Reply) bool {
	return r.Exit == 0 && bytes.Contains(r.Stdout, []byte(`"permissionDecision":"deny"`))
}

// Hostile payloads, each way there is: a well-formed deny where something is
// about to happen, a clear error elsewhere, and a record of both.
func TestHostilePayloads(t *testing.T) {
	p := newPlace(t, "")
	deep := strings.Repeat(`{"a":`, 10000) + "1" + strings.Repeat("}", 10000)
	n := 0
	for name, payload := range map[string]string{
		"empty":            "",
		"not JSON":         "hello",
		"no object":        `["PreToolUse"]`,
		"cut off":          `{"hook_event_name":"PreToolUse","tool_na`,
		"two objects":      p.pre("ls") + p.pre("rm"),
		"duplicate keys":   `{"hook_event_name":"PreToolUse","tool_name":"Read","tool_name":"Bash","tool_input":{}}`,
		"duplicate inside": `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","command":"rm"}}`,
		"case variant":     `{"hook_event_name":"PreToolUse","TOOL_NAME":"Bash","tool_input":{"command":"rm"}}`,
		"case twin":        `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","Command":"rm"}}`,
		"too deep":         `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":` + deep + `}`,
		"invalid UTF-8":    "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"r\xff\xfem\"}}",
		"NUL":              "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\x00\"}",
		"escaped NUL":      `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls\u0000rm"}}`,
		"huge number":      `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"timeout":123456789012345678901234567890}}`,
		"endless number":   `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"timeout":1e999}}`,
		"too large":        p.pre(strings.Repeat("x", 2<<20)),
		"another event":    `{"hook_event_name":"Stop"}`,
	} {
		if r := p.answer(t, "PreToolUse", payload); !denied(r) {
			t.Errorf("%s: exit %d, %.200s%.200s", name, r.Exit, r.Stdout, r.Stderr)
		}
		// Where the payload names an event that fails closed, it is denied,
		// whatever the wiring says.
		r := p.answer(t, "SessionEnd", strings.ReplaceAll(payload, "PreToolUse", "SessionEnd"))
		if name == "escaped NUL" { // harmless where nothing is about to happen: outputs contain it
			if r.Exit != 0 {
				t.Errorf("%s at the end of a session: exit %d", name, r.Exit)
			}
		} else if r.Exit != 1 || len(r.Stdout) != 0 || len(r.Stderr) == 0 {
			t.Errorf("%s at the end of a session: exit %d, %.200s", name, r.Exit, r.Stdout)
		}
		n += 2
	}
	if got := len(p.records(t)); got != n {
		t.Errorf("%d records of %d events", got, n)
	}
}

// stuck is a host that keeps its end open.
type stuck struct{ until chan struct{} }

func (s stuck) Read([]byte) (int, error) { <-s.until; return 0, io.EOF }

// The watchdog replies although nothing comes back.
func TestStdinThatNeverEnds(t *testing.T) {
	p := newPlace(t, "")
	expired := make(chan trammel.Reply, 1)
	p.Watchdog = pipeline.Watch(nil, func(r trammel.Reply, then func()) { then(); expired <- r })
	until := make(chan struct{})
	done := make(chan struct{})
	go func() { p.Answer(context.Background(), p.call("PreToolUse", stuck{until})); close(done) }()
	select {
	case r := <-expired:
		if !denied(r) || !bytes.Contains(r.Stdout, []byte("stdin open")) {
			t.Errorf("got %+v", r)
		}
	case <-time.After(20 * time.Second):
		t.Error("nobody replied")
	}
	// The process may hang for good, so the next event puts it on record (enforcement 23).
	next := newPlace(t, "")
	next.Dirs = p.Dirs
	next.answer(t, "PreToolUse", next.pre("ls"))
	recs := p.records(t)
	if e, _ := recs[0]["error"].(map[string]any); len(recs) != 1 || e["code"] != "input" || decisionOf(recs[0]) != "deny" ||
		recs[0]["event"] != "pre_tool_use" || recs[0]["host"] != "claude-code" {
		t.Errorf("on record: %v", recs)
	}
	next.answer(t, "PreToolUse", next.pre("ls"))
	if n := len(p.records(t)); n != 1 {
		t.Errorf("it is on record %d times", n)
	}
	if _, err := os.Lstat(filepath.Join(p.Dirs.State, "unanswered")); err == nil {
		t.Error("the note is still there")
	}
	close(until)
	<-done
}

// A host that gives up while a guard is at work gets a denial, and not what the
// others have said so far (code.md, mutations: canceled lets through).
func TestACanceledCallIsDenied(t *testing.T) {
	p := newPlace(t, "hooks:\n  - {id: slow, on: [PreToolUse, PostToolUse], run: sleep 60, on_error: ignore}\n")
	p.Interrupts = func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(50*time.Millisecond, cancel)
		return ctx, cancel
	}
	if r := p.answer(t, "PreToolUse", p.pre("ls")); !denied(r) || !bytes.Contains(r.Stdout, []byte("stopped before all hooks")) {
		t.Errorf("got %s", r.Stdout)
	}
	if decision := decisionOf(p.records(t)[0]); decision != "deny" {
		t.Errorf("recorded as %v", decision)
	}
	post := strings.Replace(p.pre("ls"), "PreToolUse", "PostToolUse", 1)
	if r := p.answer(t, "PostToolUse", post); r.Exit != 0 || bytes.Contains(r.Stdout, []byte("stopped before")) {
		t.Errorf("what has happened already is denied: %s", r.Stdout)
	}
}

// A full program that crashes has not answered, whatever it printed (code.md,
// mutations: exit 1 counts as an answer).
func TestTheFullProgramMayCrash(t *testing.T) {
	p := newPlace(t, "")
	p.Load = func(*layers.Set) (*plan.Plan, error) { return nil, plan.ErrMissing }
	for exit, want := range map[int]bool{0: false, 1: true, 2: false, 3: true, -1: true, 137: true} {
		p.HandOff = func(context.Context, pipeline.Call, []byte) (trammel.Reply, error) {
			return trammel.Reply{Exit: exit, Stderr: []byte("boom"), Stdout: []byte("{}")}, nil
		}
		if r := p.answer(t, "PreToolUse", p.pre("ls")); denied(r) != want || !want && r.Exit != exit {
			t.Errorf("exit code %d: exit %d, %s", exit, r.Exit, r.Stdout)
		}
		if r := p.answer(t, "SessionEnd", `{"hook_event_name":"SessionEnd"}`); r.Exit != exit {
			t.Errorf("exit code %d where nothing can be denied: %d", exit, r.Exit)
		}
	}
	p.HandOff = func(context.Context, pipeline.Call, []byte) (trammel.Reply, error) {
		return trammel.Reply{}, os.ErrNotExist
	}
	if r := p.answer(t, "PreToolUse", p.pre("ls")); !denied(r) {
		t.Errorf("without a full program: %s", r.Stdout)
	}
}

func decisionOf(record map[string]any) any {
	v, _ := record["verdict"].(map[string]any)
	return v["decision"]
}

// Finding enforcement 23: a log that was changed or removed is said to the
// person, once, and is on record.
func TestAChangedLogIsSaid(t *testing.T) {
	p := newPlace(t, "")
	dir, err := pipeline.EvidenceDir(p.Dirs, layers.Root(p.Dirs, p.project))
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"it was removed", "record 2 had been written, and the log ends with record 0"} {
		p.answer(t, "PreToolUse", p.pre("ls"))
		if what == "it was removed" {
			err = os.RemoveAll(dir)
		} else {
			p.answer(t, "PreToolUse", p.pre("ls"))
			err = os.Truncate(filepath.Join(dir, "current.jsonl"), 0)
			what = "had been written, and the log ends with record 0"
		}
		if err != nil {
			t.Fatal(err)
		}
		if r := p.answer(t, "PreToolUse", p.pre("ls")); !bytes.Contains(r.Stdout, []byte("evidence log has been changed: ")) ||
			!bytes.Contains(r.Stdout, []byte(what)) {
			t.Errorf("not said: %s", r.Stdout)
		}
		if recs := p.records(t); len(recs) != 2 || recs[0]["event"] != evidence.LogEvent {
			t.Errorf("records %v", recs)
		}
		if r := p.answer(t, "PreToolUse", p.pre("ls")); bytes.Contains(r.Stdout, []byte("has been changed")) {
			t.Errorf("said again: %s", r.Stdout)
		}
	}
}

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
      echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the old hook says no"}}'
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

// endless is a host that lets stop hooks go on for ever.
type endless struct{ trammel.HostDialect }

func (e endless) Powers(k trammel.Kind) trammel.Powers {
	p := e.HostDialect.Powers(k)
	p.Endless = true
	return p
}

// A stop that the same hooks keep denying is let through in the end, where the
// host has no limit of its own; other findings count anew.
func TestStopsAreCapped(t *testing.T) {
	p := newPlace(t, `hooks:
  - {id: tests, on: Stop, deny: {when: 'stop.message contains "tests"', reason: Run the tests.}}
  - {id: docs, on: Stop, deny: {when: 'stop.message contains "docs"', reason: Write the docs.}}
`)
	claude, _ := p.Dialects.Host("claude-code")
	p.Dialects = dialects.New(dialects.Entry{Name: "claude-code", New: func() dialects.Dialect { return endless{claude} }})
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
		t.Error("another finding, or another session, does not count anew")
	}
	d, _ := p.records(t)[5]["degraded"].([]any)
	if len(d) != 1 || d[0].(map[string]any)["wanted"] != "block stop" {
		t.Errorf("recorded as %v", d)
	}
}

// An evidence lock that somebody holds does not hold up the answer for ever.
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
