//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/trammel-dev/trammel/store"
)

// desk is a home with a rule that has people decide about payments.
type testDesk struct {
	t       *testing.T
	home    string
	project string
	env     []string
	calls   int // made by codex
}

const gatedPayments = `version: 1
hooks:
  - id: payments
    on: pre_tool_use
    match: {tool: pay}
    approve: {reason: Payments need a person., mode: park}
  - id: no-drop
    on: pre_tool_use
    match: {tool: drop}
    deny: Nothing is dropped here.
`

func newTestDesk(t *testing.T) *testDesk {
	t.Helper()
	home := t.TempDir()
	d := &testDesk{t: t, home: home, project: filepath.Join(home, "p")}
	d.env = []string{"HOME=" + home, "PATH=" + bin + ":/usr/bin:/bin", "TERM=dumb"}
	for _, dir := range []string{d.project, filepath.Join(home, ".config", "trammel")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	d.write(filepath.Join(home, ".config", "trammel", "trammel.yaml"), gatedPayments)
	return d
}

func (d *testDesk) write(file, text string) {
	d.t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		d.t.Fatal(err)
	}
}

func (d *testDesk) command(argv ...string) *exec.Cmd {
	cmd := exec.Command(argv[0], argv[1:]...)
	if !strings.Contains(argv[0], "/") {
		cmd = exec.Command(filepath.Join(bin, argv[0]), argv[1:]...)
	}
	cmd.Env, cmd.Dir = d.env, d.project
	return cmd
}

// call plays an agent's call, and returns what the agent reads.
func (d *testDesk) call(tool, args string) string {
	d.t.Helper()
	cmd := d.command("trammel-hook", "native")
	cmd.Stdin = strings.NewReader(`{"event":"pre_tool_use","session":{"id":"s","dir":"` + d.project + `"},"tool":{"name":"` + tool +
		`","input":` +
		args + `}}`)
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// quiet runs a command without a terminal.
func (d *testDesk) quiet(stdin string, argv ...string) (string, int) {
	d.t.Helper()
	cmd := d.command(argv...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), code(d.t, err)
}

// line is what a person types when a text appears.
type line struct{ at, say string }

// typed runs a command on a terminal of its own, with a person at it.
func (d *testDesk) typed(person []line, argv ...string) (string, int) {
	d.t.Helper()
	cmd := d.command(argv...)
	f, err := pty.Start(cmd)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	stop := time.AfterFunc(5*time.Minute, func() { cmd.Process.Kill() })
	defer stop.Stop()
	var all, fresh bytes.Buffer
	for part := make([]byte, 4096); ; {
		n, err := f.Read(part)
		all.Write(part[:n])
		fresh.Write(part[:n])
		if len(person) > 0 && strings.Contains(fresh.String(), person[0].at) {
			time.Sleep(20 * time.Millisecond) // a person is not faster than the echo is switched off
			f.WriteString(person[0].say + "\n")
			fresh.Reset()
			person = person[1:]
		}
		if err != nil {
			break
		}
	}
	return all.String(), code(d.t, cmd.Wait())
}

func code(t *testing.T, err error) int {
	t.Helper()
	var failed *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed):
		return failed.ExitCode()
	}
	t.Fatal(err)
	return -1
}

const secretWord = "correct horse battery"

func (d *testDesk) setSecret() {
	d.t.Helper()
	out, rc := d.typed([]line{{"New authority secret", secretWord}, {"The same again", secretWord}}, "trammel", "approvals", "unlock")
	if rc != 0 || !strings.Contains(out, "authority:key_") || strings.Contains(out, secretWord) {
		d.t.Fatalf("%d %s", rc, out)
	}
	if out, _ := d.quiet("", "trammel", "log"); !strings.Contains(out, "the authority secret was set; the key is key_") {
		d.t.Errorf("the log does not say what was set: %s", out)
	}
}

// pending is the one request that waits.
func (d *testDesk) pending() string {
	d.t.Helper()
	out, rc := d.quiet("", "trammel", "approvals", "list")
	id := regexp.MustCompile(`apr_\S+`).FindString(out)
	if rc != 0 || id == "" {
		d.t.Fatalf("%d %s", rc, out)
	}
	return id
}

// A person approves at a terminal: the call runs once, and the secret is never shown.
func TestApproveAtATerminal(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	if out := d.call("pay", `{"amount":60000,"token":"ghp_abcdefghijklmnopqrstuvwxyz0123456789"}`); !strings.Contains(out,
		"is waiting for an answer") {
		t.Fatal(out)
	}
	id := d.pending()
	out, rc := d.typed([]line{{"", ""}}, "trammel", "approvals", "approve", id)
	if rc != 3 || !strings.Contains(out, "trammel approvals unlock") {
		t.Errorf("no secret is set: %d %s", rc, out)
	}
	d.setSecret()
	out, rc = d.typed([]line{{"Authority secret", "not the secret"}, {"not the authority secret", ""}, {"Authority secret", secretWord}},
		"trammel", "approvals", "approve", id, "--comment", "fine")
	if rc != 0 || !strings.Contains(out, "Approved by local") || strings.Contains(out, secretWord) || strings.Contains(out, "ghp_") ||
		!strings.Contains(out, "60000") {
		t.Errorf("%d %s", rc, out)
	}
	if out := d.call("pay", `{"amount":70000}`); !strings.Contains(out, "deny") {
		t.Errorf("another call: %s", out)
	}
	const same = `{"amount":60000,"token":"ghp_abcdefghijklmnopqrstuvwxyz0123456789"}`
	if out := d.call("pay", same); strings.Contains(out, "deny") {
		t.Errorf("the approved call: %s", out)
	}
	if out := d.call("pay", same); !strings.Contains(out, "deny") {
		t.Errorf("the same call again: %s", out)
	}
	if out, _ := d.quiet("", "trammel", "evidence", "list", "--event", "authority.refused"); !strings.Contains(out, "authority.refused") {
		t.Errorf("the wrong secret is not on record: %s", out)
	}
}

// Issue 10, must show 5: what an agent with a shell can try on the command line (APR-16, FIM-24).
func TestAnAgentDoesNotApprove(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	d.call("pay", `{"amount":60000}`)
	id := d.pending()
	right := []line{{"Authority secret", secretWord}}
	fake := filepath.Join(d.home, "claude")
	d.write(fake, "#!/bin/sh\ntrammel approvals \"$@\"\necho rc=$?\n")
	pack := filepath.Join(d.home, "node_modules", "@openai", "codex", "bin")
	if err := os.MkdirAll(pack, 0o700); err != nil {
		t.Fatal(err)
	}
	d.write(filepath.Join(pack, "run.sh"), "trammel approvals \"$@\"\necho rc=$?\n")
	hook := filepath.Join(d.home, "trammel-hook")
	d.write(hook, "#!/bin/sh\ntrammel approvals \"$@\"\necho rc=$?\n")
	for name, try := range map[string]func() string{
		"no terminal, the secret piped in": func() string {
			out, _ := d.quiet(secretWord+"\n", "trammel", "approvals", "approve",
				id)
			return out
		},
		"a terminal under an agent": func() string { out, _ := d.typed(right, fake, "approve", id); return out },
		"under an agent's package": func() string {
			out, _ := d.typed(right, "/bin/sh", filepath.Join(pack, "run.sh"), "approve", id)
			return out
		},
		"under a hook": func() string { out, _ := d.typed(right, hook, "approve", id); return out },
		"in an agent's shell": func() string {
			out, _ := d.typed(right, "/usr/bin/env", "CLAUDECODE=1", "trammel", "approvals", "approve", id)
			return out
		},
		"in an agent's shell, the mark taken off": func() string {
			out, _ := d.typed(right, "/usr/bin/env", "CLAUDECODE=1", "sh", "-c", "env -u CLAUDECODE trammel approvals approve "+id+"; echo rc=$?")
			return out
		},
		"a terminal, no secret": func() string {
			out, _ := d.typed([]line{{"Authority secret", ""}}, "trammel", "approvals", "approve", id)
			return out
		},
		"a new secret without the old": func() string {
			out, _ := d.typed([]line{{"Authority secret", ""}, {"New", "something else"}}, "trammel", "approvals", "unlock")
			return out
		},
		"cancel under an agent": func() string { out, _ := d.typed(right, fake, "cancel", id); return out },
	} {
		if out := try(); strings.Contains(out, "Approved") || strings.Contains(out, "rc=0") || d.pending() != id {
			t.Errorf("%s: %s", name, out)
		}
	}
	if out := d.call("pay", `{"amount":60000}`); !strings.Contains(out, "is waiting for an answer") {
		t.Errorf("the call: %s", out)
	}
}

// Five wrong secrets in a row, and then it takes time. The right one does not help.
func TestWrongSecretsTakeTime(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	d.call("pay", `{"amount":1}`)
	id := d.pending()
	var wrong []line
	for range 5 {
		wrong = append(wrong, line{"Authority secret", "no"}, line{"not the authority secret", ""})
	}
	out, rc := d.typed(wrong, "trammel", "approvals", "approve", id)
	if rc != 3 || !strings.Contains(out, "5 times in a row") {
		t.Errorf("%d %s", rc, out)
	}
	out, rc = d.typed([]line{{"Authority secret", secretWord}}, "trammel", "approvals", "approve", id)
	if rc != 3 || !strings.Contains(out, "Try again after") {
		t.Errorf("%d %s", rc, out)
	}
}

// Edit, grant, list, revoke.
func TestEditAndGrantAtATerminal(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	right := line{"Authority secret", secretWord}
	d.call("pay", `{"amount":60000}`)
	d.env = append(d.env, "EDITOR=sed -i s/60000/50/")
	if out, rc := d.typed([]line{right}, "trammel", "approvals", "approve", d.pending(), "--edit"); rc != 0 {
		t.Fatalf("%d %s", rc, out)
	}
	if out := d.call("pay", `{"amount":60000}`); !strings.Contains(out, `"amount":50`) || strings.Contains(out, "deny") {
		t.Errorf("the edited call: %s", out)
	}
	d.call("pay", `{"amount":7}`)
	for _, wrong := range []string{"--grant all", "--grant rule --for 48h", "--grant rule --for 0s", "--for 1h", "--grant rule --edit"} {
		args := append([]string{"trammel", "approvals", "approve", d.pending()}, strings.Fields(wrong)...) // nothing was decided
		if out, rc := d.typed(nil, args...); rc != 2 {
			t.Errorf("%s: %d %s", wrong, rc, out)
		}
	}
	if out, rc := d.typed(nil, "trammel", "allow", "--for", "48h"); rc != 2 {
		t.Errorf("%d %s", rc, out)
	}
	out, rc := d.typed([]line{{"Grant this?", "y"}, right}, "trammel", "approvals", "approve", d.pending(), "--grant", "rule", "--for", "2h")
	if rc != 0 || !strings.Contains(out, "exactly these arguments") {
		t.Fatalf("%d %s", rc, out)
	}
	d.call("pay", `{"amount":7}`) // uses the approval or the grant
	for range 2 {
		if out := d.call("pay", `{"amount":7}`); strings.Contains(out, "deny") {
			t.Errorf("granted: %s", out)
		}
	}
	out, _ = d.quiet("", "trammel", "approvals", "grants")
	grant := regexp.MustCompile(`grn_\S+`).FindString(out)
	if log, _ := d.quiet("", "trammel", "log"); grant == "" || strings.Count(log, "rule, granted by local") != 3 { // made, and used twice
		t.Fatal(out, log)
	}
	if out, rc := d.typed(nil, "trammel", "approvals", "revoke", grant, "--json"); rc != 0 || !strings.Contains(out, `"live": false`) {
		t.Errorf("%d %s", rc, out)
	}
	if out := d.call("pay", `{"amount":7}`); !strings.Contains(out, "deny") {
		t.Errorf("revoked: %s", out)
	}
}

// A rejection tells the model who and why; what programs get of a request has
// neither secrets nor what a decision has to repeat.
func TestDenyAtATerminal(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	const args = `{"amount":3,"token":"ghp_abcdefghijklmnopqrstuvwxyz0123456789","note":"<b>\u202e"}`
	d.call("pay", args)
	id := d.pending()
	out, rc := d.quiet("", "trammel", "approvals", "show", id, "--json")
	if rc != 0 || strings.Contains(out, "nonce") || strings.Contains(out, "ghp_") || strings.Contains(out, "\u202e") ||
		!strings.Contains(out, `"amount": 3`) || strings.Contains(out, "\x1b") {
		t.Errorf("%d %s", rc, out)
	}
	// with --json the request is still shown to the person, and stdout has only the result
	out, rc = d.typed([]line{{"Authority secret", secretWord}}, "/bin/sh", "-c",
		"trammel approvals deny "+id[:12]+" --comment 'not this month' --json >decided.json")
	if rc != 0 || !strings.Contains(out, "amount") {
		t.Fatalf("%d %s", rc, out)
	}
	decided, _ := os.ReadFile(filepath.Join(d.project, "decided.json"))
	var now approvalJSON
	if err := json.Unmarshal(decided, &now); err != nil || now.State != store.Rejected || !strings.Contains(now.Status, "Rejected by local") {
		t.Errorf("%v: %s", err, decided)
	}
	if out := d.call("pay", args); !strings.Contains(out, "Rejected by local: not this month") {
		t.Errorf("%s", out)
	}
	out, rc = d.typed(nil, "trammel", "approvals", "approve", id) // without asking for the secret
	if rc != 4 || !strings.Contains(out, "rejected by local") {
		t.Errorf("decided already: %d %s", rc, out)
	}
}
