package approvals

import (
	"fmt"

	"github.com/trammel-dev/trammel/store"
)

// Refusal is why a decision does not count. Then nothing has changed.
type Refusal struct {
	Code   RefusalCode
	Detail string
}

// RefusalCode is the kind of a refusal.
type RefusalCode string

const (
	RefusedUnknown     RefusalCode = "unknown"      // there is no such approval
	RefusedDecided     RefusalCode = "decided"      // it is already decided
	RefusedChanged     RefusalCode = "changed"      // what was shown is not what is asked
	RefusedExpired     RefusalCode = "expired"      // too late
	RefusedNotApprover RefusalCode = "not_approver" // the person may not decide this
	RefusedRequester   RefusalCode = "requester"    // the person asked for it themselves
	RefusedVoted       RefusalCode = "voted"        // the person has voted already
	RefusedComment     RefusalCode = "comment"      // a reason is needed
	RefusedGuard       RefusalCode = "guard"        // a guard denies the edited call
	RefusedClock       RefusalCode = "clock"        // this machine's clock is behind
	RefusedState       RefusalCode = "state"        // it is too late, or too early, for this
)

func (r *Refusal) Error() string { return r.Detail }

// Status is the HTTP status of a refusal.
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
	return 409 // it conflicts with the current state
}

func refuse(code RefusalCode, format string, args ...any) error {
	return &Refusal{code, fmt.Sprintf(format, args...)}
}

// outcome describes the state of an approval in a few words.
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
		return "the approval was revoked: " + a.Why
	}
	return "it was cancelled: " + a.Why
}
