//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// TestControl proves that the other tests can fail: what they expect to be
// blocked does run where nothing blocks it, and a hook that is a few lines of
// shell is enough to block it.
func TestControl(t *testing.T) {
	play(t, []scenario{
		{
			name:    "a hook without opinion",
			program: standIn("cat >/dev/null"),
			check: func(t *testing.T, r *result) {
				r.ran(t, marker)
				r.told(t, false)
			},
		},
		{
			name: "a hook that denies",
			program: standIn(`cat >/dev/null
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not on my watch"}}'`),
			check: func(t *testing.T, r *result) {
				r.ran(t)
				r.told(t, true, "not on my watch")
			},
		},
		{
			name:    "a hook that fails",
			program: standIn("exit 1"),
			check: func(t *testing.T, r *result) {
				r.ran(t)
				r.told(t, true, noAnswer)
			},
		},
	})
}

// standIn is a shell script in place of trammel-hook.
func standIn(script string) func(*testing.T, *box) string {
	return func(t *testing.T, b *box) string {
		path := filepath.Join(b.home, "bin", "hook")
		b.put(t, path, "#!/bin/sh\n"+script+"\n")
		if err := os.Chmod(path, 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
}
