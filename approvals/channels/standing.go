package channels

import (
	"fmt"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

// Standing is the state of an approval that a message shows. A message must be
// updated if its standing differs from its approval's.
type Standing struct {
	State                      store.State
	Votes, Reminded, Escalated int
	Digest                     string // the start of it: an edit is another call
}

const standing = "%s v%d r%d e%d %s"

// StandingOf is the standing of an approval.
func StandingOf(a *store.Approval) Standing {
	digest := approvals.Shown(a)
	return Standing{a.State, len(a.Votes), a.Reminded, a.Escalated, digest[:min(len(digest), 12)]}
}

// String is for store.Delivery's Shows.
func (s Standing) String() string {
	return fmt.Sprintf(standing, s.State, s.Votes, s.Reminded, s.Escalated, s.Digest)
}

// ParseStanding reads what String wrote. Anything else is the zero value.
func ParseStanding(text string) (s Standing) {
	fmt.Sscanf(text, standing, &s.State, &s.Votes, &s.Reminded, &s.Escalated, &s.Digest)
	return s
}

// Over reports whether the state is final.
func (s Standing) Over() bool { return !s.State.Open() }

// Nudges reports whether people must be notified again: there was a reminder or
// an escalation since a message showed was.
func (s Standing) Nudges(was Standing) bool {
	return s.State == store.Pending && (s.Reminded > was.Reminded || s.Escalated > was.Escalated)
}
