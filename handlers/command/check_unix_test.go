//go:build unix

package command

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// Finding enforcement 9: a check must succeed; any other end denies, with the
// end of its output as the reason.
func TestCheck(t *testing.T) {
	p := newPlace(t)
	for name, c := range map[string]struct{ run, reason string }{
		"succeeds":       {`echo '{"decision":"deny","reason":"not an answer"}'; echo fine >&2`, ""},
		"exit 1":         {"echo 3 tests failed; exit 1", "`echo 3 tests failed; exit 1` failed (exit code 1):\n3 tests failed"},
		"exit 2":         {"exit 2", "`exit 2` failed (exit code 2)"},
		"both, in order": {"echo a; echo b >&2; echo c; exit 3", "`echo a; echo b >&2; echo c; exit 3` failed (exit code 3):\na\nb\nc"},
		"signal":         {"kill -KILL $$", "`kill -KILL $$` failed (signal killed)"},
		"secret":         {"echo ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789; false", "[REDACTED:"},
		"long":           {"seq 1 200000; exit 1", "`seq 1 200000; exit 1` failed (exit code 1):\n…\n"},
		"not found":      {"no-such-program-here", "failed (exit code 127):\n"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := p.handle(t, Config{Run: c.run, MustSucceed: true})
			denies := c.reason != ""
			if err != nil || denies != (a.Decision == trammel.Deny) || !strings.Contains(a.Reason, c.reason) || len(a.Reason) > maxReason+200 {
				t.Errorf("got %v %q, %v", a.Decision, a.Reason, err)
			}
			if strings.Contains(a.Reason, "ghp_aBc") {
				t.Errorf("the secret is in the reason: %s", a.Reason)
			}
		})
	}
	a, _ := p.handle(t, Config{Run: "seq 1 200000; exit 1", MustSucceed: true})
	if !strings.HasSuffix(a.Reason, "\n199999\n200000") {
		t.Errorf("not the end: %q", a.Reason[len(a.Reason)-40:])
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_, err := p.handler(t, Config{Run: "echo 3 tests passed; sleep 1000", MustSucceed: true}).Handle(ctx, p.event(trammel.Stop))
	failure(t, err, trammel.CodeTimeout)
	want := "`echo 3 tests passed; sleep 1000` did not end in time. The end of its output:\n3 tests passed"
	if !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, c := range []Config{{Exec: []string{"x"}, MustSucceed: true}, {Run: "x", Dialect: "claude-code", MustSucceed: true}} {
		if c.Check() == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
