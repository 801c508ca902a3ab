//go:build unix

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/overrule"
)

// TEAM-28: a person pauses the hooks at a terminal; what they would have said
// goes on record, self-protection holds, and a session is told.
func TestPauseAtATerminal(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	d.write(d.home+"/.config/trammel/trammel.yaml", gatedPayments+"  - id: own\n    use: self-protection\n")
	const denied = `"decision":"deny"`
	pause := []string{"trammel", "pause", "--for", "5m", "--reason", "the registry is down"}
	if out, rc := d.quiet(secretWord+"\n", pause...); rc != 3 {
		t.Errorf("without a terminal: %d %s", rc, out)
	}
	fake := d.home + "/claude"
	d.write(fake, "#!/bin/sh\ntrammel pause --reason x\n")
	secret := []line{{"Authority secret", secretWord}}
	if out, rc := d.typed(secret, fake); rc != 3 {
		t.Errorf("under an agent: %d %s", rc, out)
	}
	if out, rc := d.quiet("", "trammel", "pause", "--for", "61m", "--reason", "x"); rc != 2 || !strings.Contains(out, "1h0m0s") {
		t.Errorf("too long: %d %s", rc, out)
	}
	if out := d.call("drop", `{"table":"a"}`); !strings.Contains(out, denied) {
		t.Fatalf("not paused yet: %s", out)
	}
	if out, rc := d.typed(secret, pause...); rc != 0 || !strings.Contains(out, "Paused until") {
		t.Fatalf("%d %s", rc, out)
	}
	if out := d.call("drop", `{"table":"a"}`); strings.Contains(out, denied) {
		t.Errorf("paused: %s", out)
	}
	state := d.home + "/.local/state/trammel"
	if out := d.call("Bash", `{"command":"rm -rf `+state+`"}`); !strings.Contains(out, denied) {
		t.Errorf("self-protection: %s", out)
	}
	if out, _ := d.quiet(`{"event":"session_start","session":{"id":"s"}}`, "trammel-hook", "native"); !strings.Contains(out, "paused until") {
		t.Errorf("a session is not told: %s", out)
	}
	kept, err := os.ReadFile(overrule.PauseFile(state))
	if err != nil {
		t.Fatal(err)
	}
	d.write(overrule.PauseFile(state), strings.Replace(string(kept), `"seconds":300`, `"seconds":3000`, 1))
	if out := d.call("drop", `{"table":"a"}`); !strings.Contains(out, denied) {
		t.Errorf("with a forged end: %s", out)
	}
	d.write(overrule.PauseFile(state), string(kept))
	if out, rc := d.quiet("", "trammel", "resume"); rc != 0 || !strings.Contains(out, "in force again") {
		t.Errorf("%d %s", rc, out)
	}
	if out := d.call("drop", `{"table":"a"}`); !strings.Contains(out, denied) {
		t.Errorf("resumed: %s", out)
	}
	if out, rc := d.quiet("", "trammel", "resume"); rc != 0 || !strings.Contains(out, "nothing is paused") {
		t.Errorf("%d %s", rc, out)
	}
	if out, rc := d.typed(secret, append(pause, "--json")...); rc != 0 || !strings.Contains(out, `"paused": true`) ||
		!strings.Contains(out, `"reason": "the registry is down"`) {
		t.Errorf("as JSON: %d %s", rc, out)
	}
	for _, want := range []string{`{"paused":false,"resumed":true}`, `{"paused":false}`} {
		if out, rc := d.quiet("", "trammel", "resume", "--json"); rc != 0 || strings.Join(strings.Fields(out), "") != want {
			t.Errorf("found %d %s, expected %s", rc, out, want)
		}
	}
	out, _ := d.quiet("", "trammel", "evidence", "export")
	for _, want := range []string{"authority.paused", "authority.resumed", "the registry is down", `"code":"paused"`, `"trial":"deny"`} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is not on record", want)
		}
	}
}
