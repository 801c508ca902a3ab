package desk_test

import (
	"context"
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
	dir := t.TempDir()
	if _, err := people.SetUp(dir); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 6*time.Second)
	defer stop()
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
	blocked := false
	still := func() string { // the call waits
		if !blocked {
			tx, err := other.DB.BeginTx(t.Context(), nil)
			if err != nil {
				t.Error(err)
				return ""
			}
			t.Cleanup(func() { tx.Rollback() })
			blocked = true
		}
		return ""
	}
	answer, err := d.Resolve(ctx, ev, &desk.Question{Hook: "payments", Policy: "p", User: "os:1", Still: still,
		Terms: approvals.Terms{Mode: "block", Expires: time.Hour}})
	switch {
	case err != nil || ctx.Err() != nil:
		t.Fatalf("%v, %v", err, ctx.Err())
	case !blocked:
		t.Fatal("the store was not blocked")
	case answer.Decision != trammel.Deny || len(answer.Findings) != 1 || answer.Findings[0].Code != "approval_pending":
		t.Errorf("%+v", answer)
	}
}
