package approvals

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/store"
)

// Decision is a person's decision about a request. It repeats the nonce and the
// digest of what was shown, so that nobody decides about something else.
type Decision struct {
	Approval string
	Nonce    string
	Digest   string
	Approve  bool
	Comment  string
	Identity string // who decides: slack:T1/U1, os:1000, authority:key_…
	Channel  string
	Edit     *store.Edit // the arguments to run instead
	Signer   Signer
}

// Decide records a vote. It returns the approval with the result; a Refusal
// says why the vote does not count.
func (s *Service) Decide(ctx context.Context, d Decision) (*store.Approval, error) {
	d.Comment = strings.TrimSpace(d.Comment)
	a, err := s.change(ctx, d.Approval, func(a *store.Approval) (string, error) {
		who, err := s.check(a, &d)
		if err == nil {
			err = s.clockOf(a)
		}
		if err != nil {
			return "", err
		}
		switch {
		case d.Edit == nil || d.Edit.Digest == a.EditDigest():
		case d.Edit.Digest == a.Digest: // the original arguments
			a.Edit = nil
		default:
			edit := *d.Edit
			edit.By = who
			a.Edit = &edit
		}
		v := store.Vote{Approver: who, Identity: d.Identity, Channel: d.Channel, Approve: d.Approve, Comment: d.Comment, At: store.At(s.Now()),
			Edit: a.EditDigest(), Asks: len(a.Asks)}
		if v.Key, v.Proof, err = sign(d.Signer, statement(a, &v)); err != nil {
			return "", err
		}
		a.Votes = append(a.Votes, v)
		return s.tally(a, &v)
	})
	s.settle(ctx, d.Approval, err)
	return a, err
}

// tally sets the state that follows from the votes.
func (s *Service) tally(a *store.Approval, v *store.Vote) (note string, err error) {
	if !s.proved(v.Key, statement(a, v), v.Proof, v.Approver) {
		return "", refuse(RefusedNotApprover, "the key %s cannot sign for %s here", v.Key, v.Approver)
	}
	to := s.count(a)
	if to == store.Pending {
		return "voted", nil
	}
	a.State, a.Decided = to, store.At(s.Now())
	if to == store.Approved && a.Window > 0 {
		a.Until = store.At(s.Now().Add(a.Window))
	}
	return string(to), nil
}

// CheckPending returns why nobody can decide a request anymore, or nil.
func (s *Service) CheckPending(a *store.Approval) error {
	switch {
	case s.due(a) == store.Expired:
		return refuse(RefusedExpired, "this request has expired, nothing ran")
	case a.State != store.Pending:
		return refuse(RefusedDecided, "this is already decided: %s", outcome(a))
	}
	return nil
}

// check returns who decides, or why the decision does not count.
func (s *Service) check(a *store.Approval, d *Decision) (who string, err error) {
	who, known := s.person(d.Identity)
	if err := cmp.Or(intact(a), s.CheckPending(a)); err != nil {
		return "", err
	}
	switch {
	case d.Nonce != a.Nonce || d.Digest != Shown(a):
		return "", refuse(RefusedChanged, "the request has changed since you saw it; review it again")
	case !known:
		return "", refuse(RefusedNotApprover, "%s is not a known approver: add it to approvals.people", d.Identity)
	case s.asked(a, who):
		return "", refuse(RefusedRequester, "%s asked for this, so somebody else has to decide", who)
	case !s.eligible(a, who, s.Now()):
		return "", refuse(RefusedNotApprover, "%s is not an approver of this: it needs %s", who, needs(a))
	case !d.Approve && a.Needs.Comment && d.Comment == "":
		return "", refuse(RefusedComment, "a rejection needs a reason")
	case d.Edit != nil && !d.Approve:
		return "", refuse(RefusedState, "only an approval can have an edit")
	}
	edit := a.EditDigest()
	if d.Edit != nil {
		e, err := NewEdit(a, d.Edit.Args)
		switch {
		case err != nil:
			return "", err
		case e.Digest != d.Edit.Digest:
			return "", refuse(RefusedChanged, "the edit does not belong to this call")
		}
		edit = e.Digest
	}
	voted := func(v store.Vote) bool {
		return v.Approver == who && (!v.Approve || v.Edit == edit && edit == a.EditDigest())
	}
	if slices.ContainsFunc(a.Votes, voted) {
		return "", refuse(RefusedVoted, "%s has voted on this already", who)
	}
	return who, nil
}

// person is the person with an identity. The machine's authority key belongs to
// Local if nobody claims it.
func (s *Service) person(identity string) (who string, known bool) {
	who, known = s.Roster.Who(identity)
	if !known && strings.HasPrefix(identity, "authority:") {
		return Local, true
	}
	return who, known
}

func needs(a *store.Approval) string { return factors(a.Needs.Factors) }

func factors(list []store.Factor) string {
	var parts []string
	for _, f := range list {
		parts = append(parts, fmt.Sprintf("%d of %s", f.N, strings.Join(f.Approvers, ", ")))
	}
	return strings.Join(parts, " and ")
}
