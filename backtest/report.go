package backtest

import (
	"cmp"
	"maps"
	"slices"

	"github.com/trammel-dev/trammel"
)

// Apart is why a record could not be replayed.
type Apart string

// The reasons. None of these records counts as unchanged.
const (
	NoPayload     Apart = "no_payload"     // the evidence has kept none
	Redacted      Apart = "redacted"       // a hook looks at what was taken out
	NotReplayable Apart = "not_replayable" // the answer of a program is not known
	NotJudged     Apart = "not_judged"     // there was no verdict to hold against
	Unreadable    Apart = "unreadable"     // the payload cannot be read, or its host is unknown
	NoEvent       Apart = "no_event"       // an approval, a note: nothing that hooks judge
)

// Report is what a changed configuration would have changed. It is the same for
// the same records and the same configuration.
type Report struct {
	Config    string        `json:"config"` // the digest
	Records   int           `json:"records"`
	Replayed  int           `json:"replayed"`
	Unchanged int           `json:"unchanged"`
	Loosened  int           `json:"loosened"`
	Tightened int           `json:"tightened"`
	Apart     map[Apart]int `json:"apart"`
	Matrix    []Cell        `json:"matrix"`
	Hooks     []*HookChange `json:"hooks"`
	Errors    []*NewError   `json:"errors"`

	matrix map[[2]Outcome]int
	hooks  map[string]*HookChange
	errors map[[2]string]*NewError
}

// Cell counts the events that came to Old, and would come to New.
type Cell struct {
	Old   Outcome `json:"old"`
	New   Outcome `json:"new"`
	Count int     `json:"count"`
}

// HookChange is what one hook has to do with the changes.
type HookChange struct {
	Hook          string   `json:"hook"`
	Loosened      int      `json:"loosened"`
	Tightened     int      `json:"tightened"`
	NotReplayable int      `json:"not_replayable,omitempty"`
	Records       []string `json:"records,omitempty"` // the first few
}

// NewError is a failure that there was not.
type NewError struct {
	Hook    string   `json:"hook"`
	Code    string   `json:"code"`
	Count   int      `json:"count"`
	Detail  string   `json:"detail"` // of the first
	Records []string `json:"records"`
}

// examples is how many records are named.
const examples = 5

func newReport(digest string) *Report {
	return &Report{Config: digest, Apart: map[Apart]int{}, Matrix: []Cell{}, Hooks: []*HookChange{}, Errors: []*NewError{},
		matrix: map[[2]Outcome]int{}, hooks: map[string]*HookChange{}, errors: map[[2]string]*NewError{}}
}

func (r *Report) hook(id string) *HookChange {
	if r.hooks[id] == nil {
		r.hooks[id] = &HookChange{Hook: id}
	}
	return r.hooks[id]
}

func (r *Report) add(rec *record, v *trammel.Verdict) {
	then, now := rec.outcome(), outcomeOfVerdict(v)
	r.Replayed++
	r.matrix[[2]Outcome{then, now}]++
	for i := range v.Runs {
		r.failure(rec, &v.Runs[i])
	}
	if then == now {
		r.Unchanged++
		return
	}
	if now < then {
		r.Loosened++
	} else {
		r.Tightened++
	}
	for _, id := range changed(rec, v) {
		h := r.hook(id)
		if now < then {
			h.Loosened++
		} else {
			h.Tightened++
		}
		if len(h.Records) < examples {
			h.Records = append(h.Records, rec.ID)
		}
	}
}

// changed are the hooks that say something else now.
func changed(rec *record, v *trammel.Verdict) []string {
	then, now := map[string]string{}, map[string]string{}
	for i := range rec.Hooks {
		h := &rec.Hooks[i]
		if said := h.said(); said != None {
			then[h.ID] = said.String()
		} else if h.Trial == "" {
			then[h.ID] = h.Decision
		}
	}
	for i := range v.Runs {
		run := &v.Runs[i]
		switch said := outcomeOf(run.Answer.Decision.String(), run.Answer.Rewrites()); {
		case run.Blocked:
			now[run.Hook.ID] = Deny.String()
		case said != None:
			now[run.Hook.ID] = said.String()
		case run.Answer.Decision == trammel.Allow:
			now[run.Hook.ID] = Allow.String()
		}
	}
	var out []string
	for id, said := range then {
		if now[id] != said {
			out = append(out, id)
		}
	}
	for id := range now {
		if _, known := then[id]; !known {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

func (r *Report) failure(rec *record, run *trammel.Run) {
	if run.Code == "" || slices.ContainsFunc(rec.Hooks, func(h hookRecord) bool { return h.ID == run.Hook.ID && h.Code == string(run.Code) }) {
		return
	}
	key := [2]string{run.Hook.ID, string(run.Code)}
	e := r.errors[key]
	if e == nil {
		e = &NewError{Hook: key[0], Code: key[1], Detail: run.Detail}
		r.errors[key] = e
	}
	if e.Count++; len(e.Records) < examples {
		e.Records = append(e.Records, rec.ID)
	}
}

// finish puts everything into an order.
func (r *Report) finish() *Report {
	for _, then := range outcomes {
		for _, now := range outcomes {
			if n := r.matrix[[2]Outcome{then, now}]; n > 0 {
				r.Matrix = append(r.Matrix, Cell{then, now, n})
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.hooks)) {
		r.Hooks = append(r.Hooks, r.hooks[id])
	}
	r.Errors = slices.AppendSeq(r.Errors, maps.Values(r.errors))
	slices.SortFunc(r.Errors, func(a, b *NewError) int { return cmp.Or(cmp.Compare(a.Hook, b.Hook), cmp.Compare(a.Code, b.Code)) })
	return r
}
