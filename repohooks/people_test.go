//go:build unix

package repohooks

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/test/people"
)

// A question that a runtime cannot put to anybody becomes a request to people,
// where the configuration wants that: for abilities, tasks and the agent as for
// a hook of an agent (AIC-41, FIM-20).
func TestQuestionsBecomeRequests(t *testing.T) {
	const asks = `"code":"ABILITY_REQUIRES_HUMAN","payload":{"reason":"sure?"}`
	for name, c := range map[string]struct {
		config    string
		hasPerson bool
		says      *people.Decision
		decision  trammel.Decision
		reason    string
	}{
		"approved": {"approvals: {ask: true, terms: {mode: block}}", false, &people.Decision{Approve: true}, trammel.Allow, ""},
		"rejected": {"approvals: {ask: true, terms: {mode: block}}", false, &people.Decision{Comment: "no"}, trammel.Deny,
			"Rejected by local: no"},
		"parked":                {"approvals: {ask: true, terms: {mode: park}}", false, nil, trammel.Deny, "make exactly the same call again"},
		"a person is there":     {"approvals: {ask: true}", true, nil, trammel.Ask, "sure?"},
		"nobody wants requests": {"approvals: {terms: {mode: park}}", false, nil, trammel.Ask, "sure?"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{".system/hooks/g.yaml": hook("g", "PreAbilityCall", script("g.sh")),
				"scripts/hooks/g.sh": guard(asks)})
			if err := os.MkdirAll(w.dirs.User, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(w.dirs.User, "trammel.yaml"), []byte("version: 1\n"+c.config+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := people.SetUp(w.dirs.State); err != nil {
				t.Fatal(err)
			}
			w.trust().HasPerson = c.hasPerson
			done := make(chan error, 1)
			go func() {
				ctx, stop := context.WithTimeout(t.Context(), time.Minute)
				defer stop()
				var err error
				if c.says != nil {
					_, err = people.Decide(ctx, w.dirs.State, approvals.Settings{}, *c.says)
				}
				done <- err
			}()
			r := w.must(call("deploy", map[string]any{"to": "prod"}))
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			if r.Decision != c.decision || !strings.Contains(r.Reason, c.reason) || r.Proceed() != (c.decision < trammel.Ask) {
				t.Errorf("%v %q", r.Decision, r.Reason)
			}
			for _, s := range r.Signals {
				if s.Decision() != c.decision {
					t.Errorf("a signal says %+v", s)
				}
			}
		})
	}
}
