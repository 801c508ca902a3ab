//go:build e2e && unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/e2e/model"
)

// guard declares a guard that is a program.
func guard(run, more string) string {
	return fmt.Sprintf(`version: 1
hooks:
  - id: guard
    on: pre_tool_use
    run: %s
    may: guard
%s`, run, more)
}

// TestGuardFails: a guard that cannot do its work blocks, and says so.
func TestGuardFails(t *testing.T) {
	play(t, []scenario{
		{
			name:   "it crashes",
			once:   true,
			config: guard("exit 3", ""),
			check:  failed("guard", trammel.CodeCrash),
		},
		{
			name:   "it is killed",
			once:   true,
			config: guard("kill -9 $$", ""),
			check:  failed("guard", trammel.CodeCrash),
		},
		{
			name:   "it takes too long",
			once:   true,
			config: guard("sleep 60", "    timeout: 1s\n"),
			check:  failed("guard", trammel.CodeTimeout),
		},
		{
			name:   "it takes longer than the host waits",
			once:   true,
			config: guard("sleep 60", ""),
			check:  failed("guard", trammel.CodeTimeout),
		},
		{
			name:   "it talks nonsense",
			once:   true,
			config: guard(`echo "{\"decision\":"`, ""),
			check:  failed("guard", trammel.CodeMalformed),
		},
		{
			name:   "it does not exist",
			once:   true,
			config: strings.Replace(guard("", ""), "    run: \n", "    exec: [/nonexistent/guard]\n", 1),
			check:  failed("guard", trammel.CodeUnavailable),
		},
	})
}

// TestNotJudged: what Trammel itself cannot judge is blocked.
func TestNotJudged(t *testing.T) {
	play(t, []scenario{
		{
			alone:  true,
			stops:  whole,
			name:   "the configuration is broken",
			config: "version: 1\nhooks: [",
			check:  failed("", trammel.CodeConfig),
		},
		{
			alone:  true,
			stops:  whole,
			name:   "the configuration has an unknown member",
			once:   true,
			config: strings.Replace(noKeys, "deny:", "denny:", 1),
			check:  failed("", trammel.CodeConfig),
		},
		{
			alone: true,
			stops: whole,
			name:  "the configuration is unreadable",
			once:  true,
			arrange: func(t *testing.T, b *box) {
				if err := os.MkdirAll(b.config(), 0o700); err != nil { // a folder: root can read any file
					t.Fatal(err)
				}
			},
			check: failed("", trammel.CodeConfig),
		},
		{
			alone:  true,
			stops:  whole,
			name:   "the payload is too large",
			once:   true,
			config: noTouch,
			script: func(h host, b *box) model.Script {
				return attempt(h.write(filepath.Join(b.project, "BIG"), strings.Repeat("0123456789abcde\n", 2<<20/16)))
			},
			check: failed("", trammel.CodeTooLarge),
		},
	})
}

// TestNotRecorded: what cannot be recorded does not happen.
func TestNotRecorded(t *testing.T) {
	check := func(cause syscall.Errno) func(*testing.T, *result) {
		return func(t *testing.T, r *result) {
			r.ran(t)
			if !r.stoppedAtThePrompt(t, cause.Error()) {
				r.told(t, true, cause.Error())
			}
		}
	}
	play(t, []scenario{
		{
			alone:  true,
			stops:  whole,
			name:   "the state directory is a file",
			once:   true,
			config: noKeys,
			arrange: func(t *testing.T, b *box) {
				b.put(t, filepath.Join(b.state, "trammel"), "in the way\n")
			},
			check: check(syscall.ENOTDIR),
		},
		{
			alone:  true,
			stops:  whole,
			name:   "the disk is full",
			config: noKeys,
			arrange: func(t *testing.T, b *box) {
				mountFull(t, b.state)
			},
			check: check(syscall.ENOSPC),
		},
	})
}

// failed checks that the call did not run because of a failure: of a hook, or
// of Trammel itself if hook is empty.
func failed(hook string, code trammel.Code) func(*testing.T, *result) {
	return func(t *testing.T, r *result) {
		r.ran(t)
		if hook == "" && r.stoppedAtThePrompt(t, string(code)) {
			return
		}
		r.told(t, true, "("+string(code)+")", hook)
		r.recorded(t, record{Event: "pre_tool_use", Decision: "deny", Hook: hook, Code: string(code)})
	}
}

// whole is for scenarios in which nothing can be judged: where all events are
// hooked or none, that stops the prompt already.
func whole(p profile) bool { return p.whole }

// stoppedAtThePrompt reports whether it was not to come to a call: then the
// model must not have been asked at all.
func (r *result) stoppedAtThePrompt(t *testing.T, why string) bool {
	if !r.stopped {
		return false
	}
	t.Helper()
	if n := len(r.model.Requests()); n > 0 {
		t.Errorf("the model was asked %d times, expected that the prompt is stopped (%s)", n, why)
	}
	return true
}
