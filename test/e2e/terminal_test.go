//go:build e2e && unix

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/trammel-dev/trammel/test/e2e/model"
	"github.com/trammel-dev/trammel/test/people"
)

// TestInTerminal: a person decides with the commands, in their own terminal.
func TestInTerminal(t *testing.T) {
	play(t, []scenario{
		{
			name: "approved", config: gate("mode: block"), script: counted(1),
			arrange: types(func(ctx context.Context, b *box) ([]string, error) {
				a, err := waitsFor(ctx, filepath.Join(b.state, "trammel"))
				if err != nil {
					return nil, err
				}
				return []string{"approvals", "approve", a.ID, "--comment", "looks right"}, nil
			}),
			check: func(t *testing.T, r *result) {
				r.ranOnce(t, marker)
				r.told(t, false)
				r.said(t, "approval.consumed", "approved by local: looks right")
			},
		},
		{
			name: "allowed once after a denial (TEAM-25)", config: noTouch,
			arrange: types(func(ctx context.Context, b *box) ([]string, error) {
				id, err := b.denial(ctx)
				return []string{"allow", id, "--reason", "this one file"}, err
			}),
			script: func(h host, _ *box) model.Script {
				touch := model.Use(h.shell("touch " + marker + " && echo ran >>" + marker))
				return model.Script{Turns: []model.Turn{touch, model.Use(h.shell("python3 -c 'import time; time.sleep(12)'")), touch, touch,
					model.Say("FINAL")}}
			},
			check: func(t *testing.T, r *result) {
				r.ranOnce(t, marker)
				told := r.model.Results(0)
				if len(told) != 4 {
					t.Fatalf("the model was told %+v, expected four results", told)
				}
				for i, denied := range []bool{true, false, false, true} {
					if denied {
						checkTold(t, told[i], true, "Make files with the Write tool.")
					} else {
						checkTold(t, told[i], false)
					}
				}
			},
		},
	})
}

// types has a person run a command in a terminal, and type the secret. command
// waits for what it is about.
func types(command func(ctx context.Context, b *box) ([]string, error)) func(t *testing.T, b *box) {
	return func(t *testing.T, b *box) {
		b.setUp(t)
		aside(t, timeLimit, func(ctx context.Context) error {
			args, err := command(ctx, b)
			if err == nil {
				err = b.typed(exec.Command(ready.Trammel, args...))
			}
			return err
		})
	}
}

// typed runs a program in a terminal, and types the secret when it is asked for.
func (b *box) typed(cmd *exec.Cmd) error {
	cmd.Env, cmd.Dir = append(b.env(), "TERM=dumb"), b.project
	tty, err := pty.Start(cmd)
	if err != nil {
		return err
	}
	defer tty.Close()
	var shown strings.Builder
	buffer := make([]byte, 4096)
	for asked := false; ; {
		n, err := tty.Read(buffer)
		shown.Write(buffer[:n])
		if !asked && strings.HasSuffix(shown.String(), "secret: ") {
			asked = true
			time.Sleep(200 * time.Millisecond) // as a person would, not before the prompt is there
			io.WriteString(tty, people.Secret+"\n")
		}
		if err != nil {
			break
		}
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%w: %s", err, shown.String())
	}
	return nil
}

var recordID = regexp.MustCompile(`"id":"(ev_\w+)"`)

// denial waits for a denied call, and returns the id of its record.
func (b *box) denial(ctx context.Context) (string, error) {
	for ; ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		for line := range bytes.Lines(b.logs()) {
			if id := recordID.FindSubmatch(line); id != nil && bytes.Contains(line, []byte(`"decision":"deny"`)) {
				return string(id[1]), nil
			}
		}
	}
	return "", ctx.Err()
}
