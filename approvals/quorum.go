package approvals

import (
	"slices"

	"github.com/trammel-dev/trammel/store"
)

// count decides what the votes come to. Only votes whose signature holds count,
// each person once, and only for the call as it stands: a vote for another edit
// is void.
func (s *Service) count(a *store.Approval) store.State {
	edit := editDigest(a)
	var yes, no []string
	for i := range a.Votes {
		v := &a.Votes[i]
		switch {
		case !s.proved(v.Key, statement(a, v), v.Proof, v.Approver) || slices.Contains(yes, v.Approver) || slices.Contains(no, v.Approver):
		case !s.eligible(a, v.Approver):
		case !v.Approve:
			no = append(no, v.Approver)
		case v.Edit == edit:
			yes = append(yes, v.Approver)
		}
	}
	if len(no) >= a.Needs.DenyAt {
		return store.Rejected
	}
	if s.met(a, yes) {
		return store.Approved
	}
	return store.Pending
}

// met reports whether every factor has its people. One person can stand for
// several factors; the people of one factor are all different.
func (s *Service) met(a *store.Approval, yes []string) bool {
	for _, f := range a.Needs.Factors {
		n := 0
		for _, member := range s.Roster.Members(s.factor(a, f)) {
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

// factor is who a factor's votes can come from: those declared, and those that
// it was escalated to.
func (s *Service) factor(a *store.Approval, f store.Factor) []string {
	out := slices.Clone(f.Approvers)
	for i := range min(a.Escalated, len(a.Needs.Escalate)) {
		out = append(out, a.Needs.Escalate[i]...)
	}
	return out
}

// eligible reports whether a person has a say. Who runs the agent has none,
// unless the policy says so or nobody else is named.
func (s *Service) eligible(a *store.Approval, approver string) bool {
	in := slices.ContainsFunc(a.Needs.Factors, func(f store.Factor) bool {
		return slices.Contains(s.Roster.Members(s.factor(a, f)), approver)
	})
	return in && !s.asked(a, approver)
}

func (s *Service) asked(a *store.Approval, approver string) bool {
	if a.Needs.Requester || a.User == "" || approver == Local {
		return false
	}
	who, known := s.Roster.Who(a.User)
	return approver == a.User || known && who == approver
}
