package channels

import (
	"fmt"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

// Standing is what of an approval a message has to show. A message whose
// standing is another than its approval's has to be updated.
type Standing struct {
	State                      store.State
	Votes, Reminded, Escalated int
	Digest                     string // the start of it: an edit is another call
}

const standing = "%s v%d r%d e%d %s"

// StandingOf is how an approval stands.
func StandingOf(a *store.Approval) Standing {
	digest := approvals.Shown(a)
	return Standing{a.State, len(a.Votes), a.Reminded, a.Escalated, digest[:min(len(digest), 12)]}
}

// String is for store.Delivery's Shows.
func (s Standing) String() string {
	return fmt.Sprintf(standing, s.State, s.Votes, s.Reminded, s.Escalated, s.Digest)
}

// ParseStanding reads what String wrote. Anything else is no standing.
func ParseStanding(text string) (s Standing) {
	fmt.Sscanf(text, standing, &s.State, &s.Votes, &s.Reminded, &s.Escalated, &s.Digest)
	return s
}

// Over reports whether nothing can change any more.
func (s Standing) Over() bool { return !s.State.Open() }

// Nudges reports whether people have to be told again: they were reminded, or
// others are asked, too, since a message showed was.
func (s Standing) Nudges(was Standing) bool {
	return s.State == store.Pending && (s.Reminded > was.Reminded || s.Escalated > was.Escalated)
}
