package report

import (
	"maps"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/store"
)

// Traffic is what a hook has done (TEAM-21).
type Traffic struct {
	Hook   string     `json:"hook"`
	Force  bool       `json:"in_force"`
	Ran    int        `json:"ran"`
	Deny   int        `json:"denied"`
	Ask    int        `json:"asked"`
	Failed int        `json:"failed"`
	P95    int64      `json:"p95_micros"` // two digits of it are right
	Last   *time.Time `json:"last,omitempty"`
}

type traffic struct {
	Traffic
	took  map[int64]int   // how often, by rounded microseconds
	asked map[string]bool // the requests to people that were counted
}

// Hooks sums up what hooks have done: those that are active now and, with all,
// also those in the records.
func Hooks(log string, f evidence.Filter, now []Hook, all bool) ([]Traffic, error) {
	var found byHook[traffic]
	for _, h := range now {
		found.of(h.ID).Force = true
	}
	err := each(log, f, func(e *store.Event, r *store.Run) { found.of(r.Hook).add(e, r) })
	rows := []Traffic{}
	found.sorted(func(id string, t *traffic) {
		if t.Force || all {
			t.Hook, t.P95 = id, t.p95()
			rows = append(rows, t.Traffic)
		}
	})
	return rows, err
}

func (t *traffic) add(e *store.Event, r *store.Run) {
	t.Ran++
	switch {
	case r.Code != "":
		t.Failed++
	case r.Decision == trammel.Deny.String() && !r.Waits:
		t.Deny++
	case r.Decision == trammel.Ask.String(), r.Waits, r.Approval != "":
		if t.asked[r.Approval] {
			break // an agent made the call again, after it had to wait for a person
		}
		t.Ask++
		if r.Approval != "" {
			if t.asked == nil {
				t.asked = map[string]bool{}
			}
			t.asked[r.Approval] = true
		}
	}
	if t.took == nil {
		t.took = map[int64]int{}
	}
	t.took[rounded(r.Micros)]++
	last := e.Time.Time
	t.Last = &last
}

// rounded keeps two digits, so that the times of a million runs take little memory.
func rounded(micros int64) int64 {
	unit := int64(1)
	for micros/unit >= 100 {
		unit *= 10
	}
	return micros / unit * unit
}

// p95 is the time that 95 of 100 runs did not exceed.
func (t *traffic) p95() int64 {
	left := t.Ran - t.Ran*95/100
	for _, micros := range slices.Backward(slices.Sorted(maps.Keys(t.took))) {
		if left -= t.took[micros]; left <= 0 {
			return micros
		}
	}
	return 0
}
