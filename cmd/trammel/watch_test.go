//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// viewer is somebody at a terminal in which trammel watch runs.
type viewer struct {
	t    *testing.T
	tty  *os.File
	mu   sync.Mutex
	seen bytes.Buffer // since the last key
	all  bytes.Buffer
}

// watch starts trammel watch on a terminal of this size.
func (d *testDesk) watch(rows, cols uint16, env ...string) (*exec.Cmd, *viewer) {
	d.env = append(d.env, env...)
	cmd := d.command("trammel", "watch")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: cols})
	if err != nil {
		d.t.Fatal(err)
	}
	stop := time.AfterFunc(5*time.Minute, func() { cmd.Process.Kill() })
	d.t.Cleanup(func() {
		stop.Stop()
		tty.Close()
	})
	v := &viewer{t: d.t, tty: tty}
	go v.read()
	return cmd, v
}

func (v *viewer) read() {
	for part := make([]byte, 4096); ; {
		n, err := v.tty.Read(part)
		v.mu.Lock()
		v.seen.Write(part[:n])
		v.all.Write(part[:n])
		v.mu.Unlock()
		if bytes.Contains(part[:n], []byte("\x1b[c")) { // what a terminal answers to being asked what it is
			v.tty.WriteString("\x1b[?62c")
		}
		if err != nil {
			return
		}
	}
}

// text is all that was shown so far.
func (v *viewer) text() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.all.String()
}

// sees waits for a text.
func (v *viewer) sees(text string) {
	v.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		v.mu.Lock()
		there := bytes.Contains(v.seen.Bytes(), []byte(text))
		v.mu.Unlock()
		if there {
			return
		}
		if time.Now().After(end) {
			v.t.Fatalf("%q does not appear in %q", text, v.text())
		}
	}
}

// press types, as slowly as a person.
func (v *viewer) press(keys string) {
	time.Sleep(700 * time.Millisecond)
	v.mu.Lock()
	v.seen.Reset()
	v.mu.Unlock()
	v.tty.WriteString(keys)
}

// UI-24: the real program on a real terminal. It begins read-only, a person
// unlocks it with the secret, approves what is open, and the call runs once.
func TestWatch(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	const call = `{"amount":60000,"token":"ghp_abcdefghijklmnopqrstuvwxyz0123456789","to":"\u001b[2Jevil"}`
	d.call("pay", call)
	cmd, v := d.watch(40, 160, "TERM=xterm-256color", "LANG=C.UTF-8")
	v.sees("read-only")
	v.sees("Payments need a person.")
	v.sees("<U+001B>[2Jevil")
	v.press("\r")
	v.sees("u unlocks")
	v.press("y")
	v.press("u")
	v.sees("Authority secret")
	v.press(secretWord + "\n")
	v.sees("UNLOCKED")
	v.press("\x1b[200~ay\x1b[201~") // pasted
	v.press("a")
	v.sees("approves apr_")
	v.press("y")
	v.sees("pproved by local")
	v.press("q")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if all := v.text(); strings.Contains(all, "ghp_") || strings.Contains(all, "\x1b[2Jevil") || strings.Contains(all, secretWord) {
		t.Errorf("%q", all)
	}
	if out := d.call("pay", call); strings.Contains(out, "deny") {
		t.Errorf("the approved call: %s", out)
	}
	if out := d.call("pay", call); !strings.Contains(out, "deny") {
		t.Errorf("the same call again: %s", out)
	}
}

// An agent's shell can look, and cannot unlock; without a terminal there is no
// view.
func TestWatchInAnAgentsShell(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	if out, rc := d.quiet("", "trammel", "watch"); rc != 1 || !strings.Contains(out, "needs a terminal") {
		t.Errorf("%d %s", rc, out)
	}
	cmd, v := d.watch(24, 80, "TERM=xterm", "CLAUDECODE=1", "NO_COLOR=1")
	v.sees("Nothing waits.")
	v.press("u")
	v.sees("CLAUDECODE is set")
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	all := v.text()
	for _, colour := range []string{"\x1b[3", "\x1b[9", ";3", ";9"} {
		if i := strings.Index(all, colour); i >= 0 && strings.Contains(all[i:min(i+6, len(all))], "m") {
			t.Errorf("a colour in spite of NO_COLOR: %q", all[max(0, i-10):min(i+20, len(all))])
		}
	}
}
