package approvals

import (
	"slices"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// count determines the result of the votes. Only votes with a valid signature
// count, each person once, and only for the current arguments: a vote for
// another edit is void.
func (s *Service) count(a *store.Approval) store.State {
	edit := a.EditDigest()
	var yes, no []string
	steps := 0
	for i := range a.Votes {
		v := &a.Votes[i]
		switch {
		case !s.proved(v.Key, statement(a, v), v.Proof, v.Approver) || slices.Contains(yes, v.Approver) || slices.Contains(no, v.Approver):
		case !s.eligible(a, v.Approver, v.At.Time):
		case !v.Approve:
			no = append(no, v.Approver)
		case v.Edit == edit:
			yes, steps = append(yes, v.Approver), max(steps, escalated(a, v.At.Time))
		}
	}
	if len(no) >= a.Needs.DenyAt {
		return store.Rejected
	}
	if s.enoughVotes(a, yes, steps) {
		return store.Approved
	}
	return store.Pending
}

// enoughVotes reports whether every factor has enough people, after this many steps of
// the escalation. One person can count for several factors; the people of one
// factor are all different.
func (s *Service) enoughVotes(a *store.Approval, yes []string, steps int) bool {
	for _, f := range a.Needs.Factors {
		n := 0
		for _, member := range s.Roster.Members(factor(a, f, steps)) {
			if slices.Contains(yes, member) {
				n++
			}
		}
		if n < f.N {
			return false
		}
	}
	return len(a.Needs.Factors) > 0
}

// possible reports whether the people who may vote could ever be enough.
func (s *Service) possible(a *store.Approval) bool {
	steps := len(a.Needs.Escalate)
	var all []string
	for _, f := range a.Needs.Factors {
		all = append(all, s.Roster.Members(factor(a, f, steps))...)
	}
	return s.enoughVotes(a, slices.DeleteFunc(all, func(who string) bool { return s.asked(a, who) }), steps)
}

// factor is the people who may vote for a factor: those declared, and those
// that it was escalated to in this many steps.
func factor(a *store.Approval, f store.Factor, steps int) []string {
	out := slices.Clone(f.Approvers)
	for i := range min(steps, len(a.Needs.Escalate)) {
		out = append(out, a.Needs.Escalate[i]...)
	}
	return out
}

// eligible reports whether a person may vote at a time. The person who runs the
// agent may not, unless the policy allows it or nobody else is named.
func (s *Service) eligible(a *store.Approval, approver string, at time.Time) bool {
	steps := escalated(a, at)
	in := slices.ContainsFunc(a.Needs.Factors, func(f store.Factor) bool {
		return slices.Contains(s.Roster.Members(factor(a, f, steps)), approver)
	})
	return in && !s.asked(a, approver)
}

// escalated is how many steps it was escalated by a time. Only the clock
// matters, not whether Sweep has run.
func escalated(a *store.Approval, at time.Time) int {
	return max(a.Escalated, per(at.Sub(a.Created.Time), a.Needs.Every))
}

// asked reports whether the person runs an agent that is waiting for this, or
// submitted its call: naming another user does not make them somebody else.
func (s *Service) asked(a *store.Approval, approver string) bool {
	if a.Needs.Requester || approver == Local {
		return false
	}
	is := func(user string) bool {
		who, known := s.Roster.Who(user)
		return user != "" && (approver == user || known && who == approver)
	}
	return is(a.User) || is(a.Account) || slices.ContainsFunc(a.Asks, func(k store.Ask) bool { return is(k.User) || is(k.Account) })
}
