package liveness

import (
	"crypto/ed25519"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/approvals"
)

// Rules that ask people need people who can answer: doctor says what is missing,
// and which command sets it up (FIM-20).
func TestPeopleWhoCanAnswer(t *testing.T) {
	const rule = "version: 1\nhooks:\n  - {id: pay, on: pre_tool_use, match: {tool: pay}, approve: {reason: look%s}}\n"
	asks := strings.Replace(rule, "%s", "", 1)
	alice := "approvals: {people: {alice: 'slack:T1/U1', bo: 'authority:key_x'}}\n"
	secret := func(w *world) {
		sealed, err := approvals.Seal("a long secret")
		if err == nil {
			err = (&approvals.Keyring{Authority: sealed}).Save(w.in.Dirs.State)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	server := func(w *world) {
		if err := (&approvals.Keyring{Servers: []ed25519.PublicKey{make([]byte, 32)}}).Save(w.in.Dirs.State); err != nil {
			t.Fatal(err)
		}
	}
	old := func(w *world) {
		secret(w)
		s := well
		s.Current = false
		w.wirings["claude-code"] = s
	}
	for name, c := range map[string]struct {
		rules string
		setUp func(*world)
		says  string // what is wrong, or what is noted
		fix   string
	}{
		"nobody is asked": {"version: 1\npreset: careful\n", nil, "", ""},
		"no secret":       {asks, nil, "no authority secret is set", "trammel approvals unlock"},
		"a question, no secret": {"version: 1\napprovals: {ask: true}\nhooks:\n  - {id: x, on: pre_tool_use, ask: sure?}\n", nil,
			"no authority secret", "trammel approvals unlock"},
		"a secret, nobody is told":  {asks, secret, "no channel tells people that a call is waiting", ""},
		"a server":                  {asks, server, "", ""},
		"an old wiring":             {asks, old, "at most half a minute", "trammel init --host claude-code"},
		"people of a channel alone": {strings.Replace(rule, "%s", ", approvers: alice", 1) + alice, secret, "through a server", "trammel serve"},
		"another key than the pinned one": {strings.Replace(asks, "hooks:", "approvals: {authority: key_mine}\nhooks:", 1), secret,
			"approvals.authority names another", "correct approvals.authority"},
		"people with keys": {strings.Replace(rule, "%s", ", approvers: [alice, bo]", 1) + alice, secret, "no channel tells people", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			configured(c.rules)(w)
			if c.setUp != nil {
				c.setUp(w)
			}
			var found []Check
			for _, check := range Inspect(t.Context(), w.in)[0].Checks {
				if n := check.Name; n == "people" || n == "wait" || n == "note" {
					found = append(found, check)
				}
			}
			for _, check := range found {
				if check.OK && check.Name != "note" {
					continue
				}
				if c.says != "" && strings.Contains(check.Detail, c.says) && strings.Contains(check.Fix, c.fix) {
					return
				}
				if c.says == "" {
					t.Errorf("%+v", check)
				}
			}
			if c.says != "" {
				t.Errorf("%q is not said: %+v", c.says, found)
			}
		})
	}
}
