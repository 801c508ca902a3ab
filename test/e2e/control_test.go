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
			program: func(t *testing.T, b *box, h host) string {
				return standIn(`cat >/dev/null
for word; do
  case $word in PreToolUse|BeforeTool|preToolUse|pre_tool_use|tool.execute.before|tool_call)
    echo `+quote(h.denies("not on my watch"))+`;;
  esac
done`)(t, b, h)
			},
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
				r.told(t, true, r.unanswered)
			},
		},
	})
}

// standIn is a shell script in place of trammel-hook.
func standIn(script string) func(*testing.T, *box, host) string {
	return func(t *testing.T, b *box, _ host) string {
		path := filepath.Join(b.home, "bin", "hook")
		b.put(t, path, "#!/bin/sh\n"+script+"\n")
		if err := os.Chmod(path, 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
}
