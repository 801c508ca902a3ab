package liveness

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/plan"
)

// examinePeople looks at whether the people whom rules ask can answer: somebody
// has to be able to prove who they are, and a request has to reach them.
func (e *exam) examinePeople() {
	ask := slices.IndexFunc(e.conf.hooks, func(h plan.Hook) bool { return h.Kind == "approval" })
	if e.conf.wrong != nil || ask < 0 && !e.conf.settings.AskPeople {
		return
	}
	who := "a question that the agent cannot ask"
	if ask >= 0 {
		who = fmt.Sprintf("the rule %q", e.conf.hooks[ask].ID)
	}
	var s approvals.Settings
	ring, err := approvals.LoadKeyring(e.in.Dirs.State)
	if err == nil && e.conf.settings.Approvals != "" {
		err = json.Unmarshal([]byte(e.conf.settings.Approvals), &s)
	}
	check := Check{Name: "people", OK: true, Detail: "there is a way to answer what " + who + " asks"}
	switch {
	case err != nil:
		check = Check{Name: "people", Detail: fmt.Sprintf("nobody can answer what %s asks: %v", who, err), Fix: "correct what the message names"}
	case ring.Authority != nil && len(s.Authority) > 0 && !slices.Contains(s.Authority, approvals.KeyID(ring.Authority.Public)):
		check = Check{Name: "people", Detail: fmt.Sprintf("the authority key of this machine is %s, and approvals.authority names another: "+
			"the file with the keys was replaced, or the secret was set again", approvals.KeyID(ring.Authority.Public)),
			Fix: "if it was you, correct approvals.authority; if not, somebody has tried to decide in your place"}
	case ring.Authority == nil && len(ring.Servers) == 0 && len(s.Trust) == 0:
		check = Check{Name: "people", Detail: fmt.Sprintf("nobody can answer what %s asks: no authority secret is set, and no server is known",
			who),
			Fix: "run trammel approvals unlock in your own terminal"}
	case len(ring.Servers) == 0 && len(s.Trust) == 0 && onlyElsewhere(&s, e.conf.hooks):
		check = Check{Name: "people", Detail: fmt.Sprintf("%s asks people who answer through a server, and none is known here", who),
			Fix: "run trammel serve, or name the key of a server in approvals.trust"}
	}
	e.add(check, Degraded)
	if e.wiring.Present && !e.wiring.Current {
		e.add(Check{Name: "wait", Detail: "with wiring that this version did not write, a call can wait for people for at most half a minute",
			Fix: "run trammel init --host " + e.Host}, Degraded)
	}
	if check.OK && len(s.Channels) == 0 && len(ring.Servers) == 0 && len(s.Trust) == 0 {
		e.Checks = append(e.Checks, Check{Name: "note", OK: true, Detail: "no channel tells people that a call is waiting: " +
			"look with trammel watch or " +
			"trammel " +
			"approvals list, run trammel serve, or declare approvals.channels"})
	}
}

// onlyElsewhere reports whether a hook asks only people who have no key on any
// machine: they answer in the page or through a channel, and a server vouches
// for them.
func onlyElsewhere(s *approvals.Settings, hooks []plan.Hook) bool {
	return slices.ContainsFunc(hooks, func(h plan.Hook) bool {
		var c struct{ Terms approvals.Terms }
		if h.Kind != "approval" || json.Unmarshal(h.Config, &c) != nil {
			return false
		}
		terms := s.Merged(&c.Terms)
		needs, err := s.Needs(&terms)
		if err != nil {
			return false
		}
		for _, f := range needs.Factors {
			if !slices.ContainsFunc(s.Roster().Members(f.Approvers), func(name string) bool {
				return name == approvals.Local || slices.ContainsFunc(s.People[name], func(id string) bool {
					return strings.HasPrefix(id,
						"authority:")
				})
			}) {
				return true
			}
		}
		return false
	})
}
