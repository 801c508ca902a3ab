package liveness

import (
	"fmt"
	"time"

	"github.com/trammel-dev/trammel/dialects"
)

// Gap is a session whose transcript shows tool calls that never reached us.
type Gap struct {
	Session string `json:"session"`
	// Calls are those in the transcript that the host should have reported,
	// Recorded those of them that are in the evidence.
	Calls    int       `json:"calls"`
	Recorded int       `json:"recorded"`
	First    time.Time `json:"first,omitzero"` // of the missing calls
	Last     time.Time `json:"last,omitzero"`
	Missing  []string  `json:"missing"` // ids of the first few
}

func (g *Gap) String() string {
	what := fmt.Sprintf("%d of %d tool calls", g.Calls-g.Recorded, g.Calls)
	if g.Recorded == 0 {
		what = fmt.Sprintf("none of %d tool calls", g.Calls)
		return fmt.Sprintf("session %s: %s reached us, between %s and %s", g.Session, what, g.First.Format(time.RFC3339),
			g.Last.Format(time.RFC3339))
	}
	return fmt.Sprintf("session %s: %s did not reach us, between %s and %s", g.Session, what, g.First.Format(time.RFC3339),
		g.Last.Format(time.RFC3339))
}

// maxMissing is how many ids a gap names.
const maxMissing = 10

// gap compares a transcript with what was seen of its session, for calls made
// from since until the given time. It also says how many calls these were.
func (t *Transcript) gap(seen *sessionSeen, since, until time.Time) (*Gap, int) {
	g := &Gap{Session: t.Session}
	silent := seen == nil || seen.calls == 0
	for _, c := range t.Calls {
		if c.Hooks == dialects.Unhooked || c.Hooks == dialects.Indirect && !silent || c.Time.Before(since) || c.Time.After(until) {
			continue
		}
		g.Calls++
		if seen != nil && seen.ids[c.ID] {
			g.Recorded++
			continue
		}
		if g.First.IsZero() {
			g.First = c.Time
		}
		g.Last = c.Time
		if len(g.Missing) < maxMissing {
			g.Missing = append(g.Missing, c.ID)
		}
	}
	if g.Recorded == g.Calls {
		return nil, g.Calls
	}
	return g, g.Calls
}
