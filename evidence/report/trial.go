package report

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/store"
)

// Trial is what a hook on trial would have done (TEAM-18).
type Trial struct {
	Hook    string `json:"hook"`
	Seen    int    `json:"seen"` // events that it was asked about
	Deny    int    `json:"would_deny"`
	Ask     int    `json:"would_ask"`
	Rewrite int    `json:"would_rewrite"`
	Other   int    `json:"would_other"` // allow, or add context
	Failed  int    `json:"failed"`
	// Of the events on which it would have done something:
	Actions  int      `json:"actions"`  // different calls
	Sessions int      `json:"sessions"` // different sessions
	Stopped  int      `json:"stopped_anyway"`
	Records  []string `json:"records"` // ids of the last five, newest last
}

// examples is how many records a row names.
const examples = 5

type trial struct {
	Trial
	actions, sessions map[string]bool
}

// Trials sums up the hooks on trial: those that are on trial now, and those
// that were at the time.
func Trials(log string, f evidence.Filter, now []Hook) ([]Trial, error) {
	var found byHook[trial]
	for _, h := range now {
		if h.Trial {
			found.of(h.ID)
		}
	}
	err := each(log, f, func(e *store.Event, r *store.Run) {
		if r.Trial != "" {
			found.of(r.Hook).add(e, r)
		}
	})
	rows := []Trial{}
	found.sorted(func(id string, t *trial) {
		t.Hook, t.Actions, t.Sessions = id, len(t.actions), len(t.sessions)
		if t.Records == nil {
			t.Records = []string{}
		}
		rows = append(rows, t.Trial)
	})
	return rows, err
}

func (t *trial) add(e *store.Event, r *store.Run) {
	t.Seen++
	if r.Trial == "fail" {
		t.Failed++
	}
	if !r.Tried() {
		return
	}
	switch r.Trial {
	case trammel.Deny.String():
		t.Deny++
	case trammel.Ask.String():
		t.Ask++
	case "rewrite":
		t.Rewrite++
	default:
		t.Other++
	}
	if e.Decision == trammel.Deny.String() || e.Decision == trammel.Ask.String() {
		t.Stopped++
	}
	if t.actions == nil {
		t.actions, t.sessions = map[string]bool{}, map[string]bool{}
	}
	t.actions[e.Action+" "+e.Tool+" "+e.Summary] = true
	t.sessions[e.Host+" "+e.Session] = true
	t.Records = append(t.Records, e.ID)
	t.Records = t.Records[max(0, len(t.Records)-examples):]
}
