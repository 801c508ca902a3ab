package pipeline_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
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
	case <-time.After(time.Minute):
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
	begun := filepath.Join(t.TempDir(), "begun")
	p := newPlace(t, "hooks:\n  - {id: slow, on: [PreToolUse, PostToolUse], run: 'touch "+begun+"; sleep 60', on_error: ignore}\n")
	p.Interrupts = func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		go func() {
			for ctx.Err() == nil && os.Remove(begun) != nil {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
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

// Finding enforcement 23: the person is told once, and it is on record, that a
// log was changed or removed.
func TestAChangedLogIsSaid(t *testing.T) {
	p := newPlace(t, "")
	dir, err := pipeline.EvidenceDir(p.Dirs, layers.Root(p.Dirs, p.project))
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"it was removed", "record 2 had been written, but the log ends with record 0"} {
		p.answer(t, "PreToolUse", p.pre("ls"))
		if what == "it was removed" {
			err = os.RemoveAll(dir)
		} else {
			p.answer(t, "PreToolUse", p.pre("ls"))
			err = os.Truncate(filepath.Join(dir, "current.jsonl"), 0)
			what = "had been written, but the log ends with record 0"
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
