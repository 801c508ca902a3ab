package full_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/test/people"
)

const gated = `version: 1
hooks:
  - id: payments
    on: pre_tool_use
    match: { program: pay }
    approve: { reason: Payments need a person., mode: block }
  - id: no-rm
    on: pre_tool_use
    match: { program: rm }
    deny: Nothing is removed.
`

// gatedCall makes a call that people have to approve, in a project of its own.
func gatedCall(t *testing.T) (p *full.Program, verdict func() *trammel.Verdict) {
	t.Helper()
	dir := t.TempDir()
	dirs := trammel.Dirs{State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache"), User: filepath.Join(dir, "user")}
	project := filepath.Join(dir, "project")
	for _, d := range []string{dirs.State, dirs.User, project} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dirs.User, "trammel.yaml"), []byte(gated), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := people.SetUp(dirs.State); err != nil {
		t.Fatal(err)
	}
	p = full.New(dirs)
	ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "claude-code", Session: trammel.Session{ID: "s", Dir: project},
		Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "pay 60000", "timeout": int64(5)}}}
	if d, ok := p.Dialects.Host(ev.Host); ok {
		ev.Tools = dialects.ShapesOf(d)
	}
	out := make(chan *trammel.Verdict, 1)
	go func() {
		v, _ := p.Dispatch(t.Context(), ev)
		out <- v
	}()
	return p, func() *trammel.Verdict { return <-out }
}

func decide(t *testing.T, p *full.Program, d people.Decision) error {
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	_, err := people.Decide(ctx, p.Dirs.State, approvals.Settings{}, d)
	return err
}

// An edit is shown to the guards before it counts, and cannot leave arguments
// out; what runs is exactly the edited call (APR-17).
func TestEditedCall(t *testing.T) {
	p, verdict := gatedCall(t)
	for args, code := range map[string]approvals.RefusalCode{
		`{"command":"rm -rf /","timeout":5}`:        approvals.RefusedGuard,
		`{"command":"pay 50"}`:                      approvals.RefusedState,
		`{"command":"pay 60000","timeout":5}`:       approvals.RefusedState,
		`{"command":"a","command":"b","timeout":5}`: approvals.RefusedState,
	} {
		var refusal *approvals.Refusal
		err := decide(t, p, people.Decision{Approve: true, Edit: func(a *store.Approval) (*store.Edit, error) {
			return p.Edit(t.Context(), a, []byte(args))
		}})
		if !errors.As(err, &refusal) || refusal.Code != code {
			t.Errorf("%s: got %v, want a refusal: %s", args, err, code)
		}
	}
	err := decide(t, p, people.Decision{Approve: true, Edit: func(a *store.Approval) (*store.Edit, error) {
		return p.Edit(t.Context(), a, []byte(`{"command":"pay 50","timeout":5}`))
	}})
	if err != nil {
		t.Fatal(err)
	}
	v := verdict()
	if v.Decision != trammel.Allow || v.Event.Tool.Input["command"] != "pay 50" {
		t.Errorf("%v: %s; %v", v.Decision, v.Reason, v.Event.Tool.Input)
	}
	logs, err := filepath.Glob(filepath.Join(p.Dirs.State, "evidence", "*", "*.jsonl"))
	if err != nil || len(logs) != 1 {
		t.Errorf("%v, %v: the event and what people decided are not in one log", logs, err)
	}
}

// Guards are asked about an edited call again when it goes on: who edits by
// other means than Edit does not get around them (APR-17).
func TestEditPastTheGuards(t *testing.T) {
	p, verdict := gatedCall(t)
	err := decide(t, p, people.Decision{Approve: true, Edit: func(a *store.Approval) (*store.Edit, error) {
		return approvals.NewEdit(a, []byte(`{"command":"rm -rf /","timeout":5}`))
	}})
	if err != nil {
		t.Fatal(err)
	}
	if v := verdict(); v.Decision != trammel.Deny || v.Reason != "Nothing is removed." {
		t.Errorf("%v: %s", v.Decision, v.Reason)
	}
	at := desk.Desk{StateDir: p.Dirs.State}
	defer at.Close()
	s, err := at.Service(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Store.Approvals(t.Context(), store.Query{States: []store.State{store.Consumed}})
	if err != nil || len(list) > 0 {
		t.Errorf("%v, %v: an approval was used for a call that did not run", list, err)
	}
}

// When a session ends, its requests are cancelled (APR-20).
func TestSessionEndCancels(t *testing.T) {
	p, verdict := gatedCall(t)
	at := desk.Desk{StateDir: p.Dirs.State}
	defer at.Close()
	s, err := at.Service(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for open := 0; open == 0; time.Sleep(10 * time.Millisecond) {
		list, err := s.Store.Approvals(t.Context(), store.Query{})
		if err != nil {
			t.Fatal(err)
		}
		open = len(list)
	}
	if _, err := p.Dispatch(t.Context(), &trammel.Event{Kind: trammel.SessionEnd, Host: "claude-code",
		Session: trammel.Session{ID: "s"}}); err != nil {
		t.Fatal(err)
	}
	want := "[trammel approval] The request was cancelled: the session has ended. The call did not run."
	if v := verdict(); v.Decision != trammel.Deny || v.Reason != want {
		t.Errorf("%v: %s", v.Decision, v.Reason)
	}
}

// A change of an approval that may be on record already is there once: a process
// was killed before it could say so (APR-07).
func TestNoteIsOnRecordOnce(t *testing.T) {
	dir := t.TempDir()
	p := full.New(trammel.Dirs{State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache"), User: filepath.Join(dir, "user")})
	d, err := p.Desk(&plan.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(dir, "project")
	record := func(id string, again bool) {
		t.Helper()
		n := store.Note{ID: id, At: store.At(time.Now()), Kind: "approval.approved", Project: project, Subject: "apr_1", Data: []byte(`{}`),
			Again: again}
		if err := d.Record(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	record("not_1", false)
	record("not_1", true)
	record("not_2", true)
	record("not_2", true)
	logs, err := filepath.Glob(filepath.Join(p.Dirs.State, "evidence", "*"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("%v %v", logs, err)
	}
	var ids []string
	err = evidence.List(logs[0], evidence.Filter{}, func(r evidence.Row) error { ids = append(ids, r.ID); return nil })
	if err != nil || !slices.Equal(ids, []string{"not_1", "not_2"}) {
		t.Errorf("on record are %v, %v", ids, err)
	}
}
