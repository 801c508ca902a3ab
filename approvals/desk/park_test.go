package desk_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/store/sqlite"
	"github.com/trammel-dev/trammel/test/people"
)

// A call whose time is over is told to come again, and in time, even if others
// keep the store from noting that (issue 10: many calls are parked at once).
func TestParkedWithoutNote(t *testing.T) {
	for limit := 6 * time.Second; ; limit *= 2 { // a slow machine takes longer to ask at all
		problem := parkedWithoutNote(t, limit)
		if problem == "" {
			return
		}
		if limit > time.Minute {
			t.Fatal(problem)
		}
	}
}

func parkedWithoutNote(t *testing.T, limit time.Duration) (problem string) {
	dir := t.TempDir()
	if _, err := people.SetUp(dir); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "approvals", "store.db")
	d := desk.Desk{StateDir: dir, Settings: approvals.Settings{Store: file}}
	defer d.Close()
	ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "h", Session: trammel.Session{ID: "s"},
		Tool: &trammel.ToolCall{Name: "pay", Input: map[string]any{"amount": int64(1)}}}
	other, err := sqlite.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := d.Service(t.Context()); err != nil { // opened before it is timed
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), limit)
	defer stop()
	var blocked *sql.Tx
	defer func() {
		if blocked != nil {
			blocked.Rollback()
		}
	}()
	still := func() string { // the call waits
		if blocked == nil {
			if blocked, err = other.DB.BeginTx(t.Context(), nil); err != nil {
				t.Error(err)
			}
		}
		return ""
	}
	answer, err := d.Resolve(ctx, ev, &desk.Question{Hook: "payments", Policy: "p", User: "os:1", Still: still,
		Terms: approvals.Terms{Mode: "block", Expires: time.Hour}})
	switch {
	case err != nil || ctx.Err() != nil:
		return fmt.Sprint(err, ", ", ctx.Err())
	case blocked == nil:
		return "the store was not blocked"
	case answer.Decision != trammel.Deny || len(answer.Findings) != 1 || answer.Findings[0].Code != "approval_pending":
		t.Errorf("%+v", answer)
	}
	return ""
}

// When the process is about to end, waiting calls are told to come again, and
// their requests stay open.
func TestParkedAtTheEnd(t *testing.T) {
	dir := t.TempDir()
	if _, err := people.SetUp(dir); err != nil {
		t.Fatal(err)
	}
	ending, end := context.WithCancel(t.Context())
	d := desk.Desk{StateDir: dir, Ending: ending}
	defer d.Close()
	ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "h", Session: trammel.Session{ID: "s"},
		Tool: &trammel.ToolCall{Name: "pay", Input: map[string]any{"amount": int64(1)}}}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	still := func() string { end(); return "" } // the call waits
	began := time.Now()
	answer, err := d.Resolve(ctx, ev, &desk.Question{Hook: "payments", Policy: "p", User: "os:1", Still: still,
		Terms: approvals.Terms{Mode: "block", Expires: time.Hour}})
	if err != nil || ctx.Err() != nil || answer.Decision != trammel.Deny || answer.Findings[0].Code != "approval_pending" {
		t.Errorf("%+v, %v, %v", answer, err, ctx.Err())
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}
