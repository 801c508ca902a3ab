//go:build e2e && unix

package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/test/e2e/model"
)

const noTouch = `version: 1
hooks:
  - id: no-touch
    on: pre_tool_use
    match: { action: shell, program: touch }
    deny:
      reason: Make files with the Write tool.
`

const noKeys = `version: 1
hooks:
  - id: no-keys
    on: pre_tool_use
    match: { action: [write, edit], path: "**/*.pem" }
    deny:
      reason: Keys are not made by agents.
`

// TestDeny: a denied call leaves no trace, the model is told why, and what is
// not denied goes on as if nobody watched.
func TestDeny(t *testing.T) {
	play(t, []scenario{
		{
			name:   "a shell command",
			config: noTouch,
			check: func(t *testing.T, r *result) {
				denied("no-touch", "Make files with the Write tool.")(t, r)
				r.forged(t, "Make files with the Write tool.")
			},
		},
		{
			name:   "a shell command within another",
			once:   true,
			config: noTouch,
			script: func(h host, _ *box) model.Script {
				return attempt(h.shell("true && env LANG=C bash -c 'touch " + marker + "'"))
			},
			check: denied("no-touch", "Make files with the Write tool."),
		},
		{
			name:   "a written file",
			config: noKeys,
			script: func(h host, b *box) model.Script {
				return attempt(h.write(filepath.Join(b.project, "server.pem"), "-----BEGIN"))
			},
			check: denied("no-keys", "Keys are not made by agents."),
		},
		{
			name:   "nothing that matches",
			config: noKeys,
			check: func(t *testing.T, r *result) {
				r.ran(t, marker)
				r.told(t, false)
				r.recorded(t, record{Event: "pre_tool_use", Decision: "none"})
			},
		},
		{
			name:   "only one of two calls",
			config: noTouch,
			script: func(h host, b *box) model.Script {
				return model.Script{Turns: []model.Turn{
					model.Use(h.shell("touch "+marker), h.shell("echo kept >KEPT")),
					model.Say("FINAL"),
				}}
			},
			check: func(t *testing.T, r *result) {
				r.ran(t, "KEPT")
				told := r.model.Results(0)
				if len(told) != 2 {
					t.Fatalf("the model was told %+v, expected two results", told)
				}
				denied := slices.IndexFunc(told, func(m model.Result) bool { return strings.Contains(m.Text, "Make files with the Write tool.") })
				if denied < 0 {
					t.Fatalf("the model was told %+v, expected a denial", told)
				}
				checkTold(t, told[denied], true)
				checkTold(t, told[1-denied], false) // some hosts make both calls at once
			},
		},
	})
}

// denied checks that the only call did not run, that the model was told the
// reason, and that there is a record of it.
func denied(hook, reason string) func(*testing.T, *result) {
	return func(t *testing.T, r *result) {
		r.ran(t)
		r.told(t, true, reason)
		r.recorded(t, record{Event: "pre_tool_use", Decision: "deny", Reason: reason, Hook: hook})
	}
}
