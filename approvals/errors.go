package approvals

import (
	"fmt"

	"github.com/trammel-dev/trammel/store"
)

// Refusal is why a decision does not count. Nothing has changed then.
type Refusal struct {
	Code   RefusalCode
	Detail string
}

// RefusalCode is the sort of a refusal.
type RefusalCode string

const (
	RefusedUnknown     RefusalCode = "unknown"      // there is no such approval
	RefusedDecided     RefusalCode = "decided"      // somebody else was first
	RefusedChanged     RefusalCode = "changed"      // what was shown is not what is asked
	RefusedExpired     RefusalCode = "expired"      // too late
	RefusedNotApprover RefusalCode = "not_approver" // the person has no say in this
	RefusedRequester   RefusalCode = "requester"    // the person asked for it themselves
	RefusedVoted       RefusalCode = "voted"        // the person has voted already
	RefusedComment     RefusalCode = "comment"      // a reason is needed
	RefusedGuard       RefusalCode = "guard"        // a guard denies the edited call
	RefusedClock       RefusalCode = "clock"        // this machine's clock is behind
	RefusedState       RefusalCode = "state"        // it is too late, or too early, for this
)

func (r *Refusal) Error() string { return r.Detail }

// Status is that of an HTTP response which tells of the refusal.
func (r *Refusal) Status() int {
	switch r.Code {
	case RefusedUnknown:
		return 404
	case RefusedNotApprover, RefusedRequester:
		return 403
	case RefusedExpired:
		return 410
	case RefusedComment, RefusedGuard:
		return 422
	}
	return 409 // a conflict with what has happened meanwhile
}

func refuse(code RefusalCode, format string, args ...any) error {
	return &Refusal{code, fmt.Sprintf(format, args...)}
}

// outcome says in a few words what has become of an approval.
func outcome(a *store.Approval) string {
	last := ""
	if n := len(a.Votes); n > 0 {
		last = a.Votes[n-1].Approver
	}
	switch a.State {
	case store.Pending:
		return "it is still open"
	case store.Approved, store.Consumed:
		return "it was approved by " + last
	case store.Rejected:
		return "it was rejected by " + last
	case store.Expired:
		return "it has expired, nothing ran"
	case store.Lapsed:
		return "it was approved, but not used in time"
	case store.Revoked:
		return "the approval was taken back: " + a.Why
	}
	return "it was cancelled: " + a.Why
}
