package full

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/plan"
)

// Denied is a call that hooks have denied, from the evidence of this machine.
type Denied struct {
	approvals.Denial
	Time    time.Time
	Summary string // without secrets
	Reason  string
	Payload json.RawMessage // the host's payload, if it was stored
	// Final says why no person can let it pass, "" if one can.
	Final string
}

// Denials lists the calls denied since a time, newest first.
func (p *Program) Denials(since time.Time, most int) ([]Denied, error) {
	logs, err := os.ReadDir(filepath.Join(p.Dirs.State, "evidence"))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var out []Denied
	for _, entry := range logs {
		dir := filepath.Join(p.Dirs.State, "evidence", entry.Name())
		var ids []string
		err := evidence.List(dir, evidence.Filter{Decision: trammel.Deny.String(), Since: since}, func(r evidence.Row) error {
			if r.Tool != "" {
				ids = append(ids, r.ID)
			}
			return nil
		})
		if err := evidence.ExceptDamage(err); err != nil {
			return nil, err
		}
		for _, id := range ids[max(0, len(ids)-most):] {
			d, err := p.denied(dir, id)
			if err != nil {
				return nil, err
			}
			if d.CallKey != "" {
				out = append(out, d)
			}
		}
	}
	slices.SortFunc(out, func(a, b Denied) int { return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(b.Record, a.Record)) })
	return out[:min(len(out), most)], nil
}

// record is the part of a record that a denial needs.
type record struct {
	ID      string    `json:"id"`
	Time    time.Time `json:"time"`
	Call    string    `json:"call"`
	Config  string    `json:"config"`
	Dir     string    `json:"cwd"`
	Project string    `json:"project"`
	Host    string    `json:"host"`
	Name    string    `json:"name"`
	Session struct {
		ID string `json:"id"`
	} `json:"session"`
	Tool struct {
		Name string `json:"name"`
	} `json:"tool"`
	Action struct {
		Summary string `json:"summary"`
	} `json:"action"`
	Hooks []struct {
		ID       string `json:"id"`
		Status   string `json:"status"`
		Decision string `json:"decision"`
		Blocked  bool   `json:"blocked"`
	} `json:"hooks"`
	Verdict struct {
		Reason string `json:"reason"`
	} `json:"verdict"`
	Payload json.RawMessage `json:"payload"`
}

func (p *Program) denied(dir, id string) (d Denied, err error) {
	entry, err := evidence.Show(dir, id)
	if err != nil {
		return d, err
	}
	var r record
	if err := json.Unmarshal(entry.Body, &r); err != nil {
		return d, err
	}
	d = Denied{Denial: approvals.Denial{Record: r.ID, CallKey: r.Call, Project: r.Project, Host: r.Host, Tool: r.Tool.Name, Policy: r.Config},
		Time: r.Time, Summary: r.Action.Summary, Reason: r.Verdict.Reason, Payload: r.Payload}
	for _, h := range r.Hooks {
		if h.Blocked || h.Status == "ok" && (h.Decision == trammel.Deny.String() || h.Decision == trammel.Ask.String()) {
			d.Hooks = append(d.Hooks, h.ID)
		}
	}
	d.Shown = p.shown(&r)
	d.Final = p.final(&d, r.Dir)
	return d, nil
}

// final says why a denial cannot be overridden.
func (p *Program) final(d *Denied, dir string) string {
	c, err := p.ConfigFor(&trammel.Event{Session: trammel.Session{Project: d.Project, Dir: dir}})
	switch {
	case len(d.Hooks) == 0:
		return "no hook has denied it"
	case err != nil:
		return "its configuration can no longer be read"
	case c.Set.Digest != d.Policy:
		return "the configuration has changed since"
	}
	hooks, err := c.Plan.All()
	if err != nil {
		return "its configuration can no longer be read"
	}
	for _, id := range d.Hooks {
		i := slices.IndexFunc(hooks, func(h plan.Hook) bool { return h.ID == id })
		if i < 0 || !hooks[i].Yields {
			return id + " cannot be overridden here"
		}
	}
	return ""
}
