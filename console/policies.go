package console

import (
	"cmp"
	"maps"
	"net/http"
	"slices"

	"github.com/trammel-dev/trammel/store"
)

// policyPage is the presets, and what hooks on trial would have done.
type policyPage struct {
	Presets []Preset
	Hooks   []Hook
	Trials  []*trial
	Since   string
	Events  int
	Partly  bool
}

// trial is what one hook on trial would have done.
type trial struct {
	Hook
	Would    map[string]int
	Of       int // how many events it saw
	Projects []tally
	Tools    []tally
	Examples []eventRow
}

// tally is a name and how often it came up.
type tally struct {
	Name string
	N    int
}

// examples is how many events are shown of a hook on trial.
const examples = 20

func (c *console) policies(w http.ResponseWriter, r *http.Request) (*view, error) {
	return c.trialPage(r, "policies")
}

func (c *console) trials(w http.ResponseWriter, r *http.Request) (*view, error) {
	return c.trialPage(r, "trials")
}

func (c *console) trialPage(r *http.Request, template string) (*view, error) {
	n, err := c.count(r, "")
	if err != nil {
		return nil, err
	}
	p := &policyPage{Since: n.Since, Events: n.Events, Partly: n.Partly}
	if c.Hooks != nil {
		conf, err := c.Hooks(r.Context())
		if err != nil {
			return nil, err
		}
		p.Presets, p.Hooks = conf.Presets, conf.Hooks
	}
	for _, h := range n.Rows {
		if h.Trial || len(h.Would) > 0 {
			t := &trial{Hook: h.Hook, Would: h.Would, Of: h.Hits}
			t.look(n.list)
			p.Trials = append(p.Trials, t)
		}
	}
	return &view{Template: template, Title: "Policies", Tab: "policies", Data: p}, nil
}

// look counts by project and tool, and keeps the latest as examples.
func (t *trial) look(list []*store.Event) {
	projects, tools := map[string]int{}, map[string]int{}
	var kept []*store.Event
	for _, e := range list {
		would := slices.ContainsFunc(e.Runs, func(r store.Run) bool { return r.Hook == t.ID && r.Trial != "" && r.Trial != "nothing" })
		if !would {
			continue
		}
		projects[base(e.Project)]++
		tools[e.Tool]++
		if len(kept) < examples {
			kept = append(kept, e)
		}
	}
	t.Projects, t.Tools, t.Examples = ranked(projects), ranked(tools), eventRows(kept)
}

func ranked(counts map[string]int) []tally {
	var out []tally
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, tally{name, counts[name]})
	}
	slices.SortStableFunc(out, func(a, b tally) int { return cmp.Compare(b.N, a.N) })
	return out[:min(len(out), 8)]
}
