package state

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// An agent reports a call once for every file that wires it: its user's, the
// project's, a plugin's. It is one call, and counts once (TEAM-02).
const (
	// repeatedWithin is how long after the first report another one can be of the
	// same call, and maxFiles how many there are at most. Beyond that a host that
	// gives its calls the same id makes a new call, so that limits hold there, too.
	repeatedWithin = time.Minute
	maxFiles       = 4
	// maxReports is how many reports of a session are remembered.
	maxReports = 64
)

// PerCall makes Take count the call of an event once, however often it is
// reported. A call without an id is a new one each time.
func (c Counters) PerCall(ev *trammel.Event) Counters {
	if ev.Tool == nil || ev.Tool.ID == "" || ev.Session.ID == "" || ev.Exchange != nil || ev.Rehearsal {
		return c
	}
	c.session = ev.Session.ID
	c.call = Digest(ev.Kind.String(), ev.Session.ID, ev.Tool.ID, ev.Tool.Name, canonical.DigestOf(ev.Tool.Input))
	return c
}

// Repeated reports whether the call of the event, see PerCall, has been here
// before under a mark.
func (c Counters) Repeated(ctx context.Context, mark string) (again bool, err error) {
	if c.call == "" {
		return false, nil
	}
	err = c.Update(ctx, c.reportsKey(), func(old []byte) ([]byte, error) {
		var next []byte
		again, next = c.report(old, mark)
		return next, nil
	})
	return again, err
}

func (c Counters) reportsKey() trammel.Key { return trammel.Key{"reports", c.session} }

// report adds a report of the call to those of the session, one call a line with
// when it was first reported and how often, and says whether it was there. What
// cannot be read is left out: then a call counts twice.
func (c Counters) report(old []byte, mark string) (again bool, next []byte) {
	id, now := Digest(c.call, mark), time.Now()
	var kept []string
	first, times := now.Unix(), 1
	for line := range strings.Lines(string(old)) {
		words := strings.Fields(line)
		if len(words) != 3 {
			continue
		}
		at, err := strconv.ParseInt(words[1], 10, 64)
		n, err2 := strconv.Atoi(words[2])
		age := now.Sub(time.Unix(at, 0))
		switch {
		case err != nil || err2 != nil || age > repeatedWithin || age < -repeatedWithin:
		case words[0] != id:
			kept = append(kept, line)
		case n < maxFiles:
			again, first, times = true, at, n+1
		}
	}
	kept = kept[max(0, len(kept)-maxReports+1):]
	return again, fmt.Appendf(nil, "%s%s %d %d\n", strings.Join(kept, ""), id, first, times)
}

// Duplicate is the finding by which the record says that a call was reported
// before.
func Duplicate(ev *trammel.Event) trammel.Finding {
	return trammel.Finding{Code: "duplicate", Severity: "info", Target: ev.Tool.ID}
}

// Duplicates is Duplicate, if the claims of a call had their places already.
func Duplicates(ev *trammel.Event, counts []Count) []trammel.Finding {
	if !slices.ContainsFunc(counts, func(c Count) bool { return c.Again }) {
		return nil
	}
	return []trammel.Finding{Duplicate(ev)}
}
