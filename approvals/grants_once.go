package approvals

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/store"
)

// Denial is a call that hooks have denied, from the evidence.
type Denial struct {
	Record  string // the id of the record
	CallKey string
	Project string
	Host    string
	Tool    string
	Policy  string // the digest of the configuration
	Hooks   []string
	Shown   string // what the person read about the call
}

// AllowOnce lets a denied call through, once: this call, which looks like what the
// person read, denied by these hooks, under this configuration (TEAM-25).
func (s *Service) AllowOnce(ctx context.Context, d Denial, by Granter) (*store.Grant, error) {
	who, known := s.person(by.Identity)
	switch {
	case !known:
		return nil, refuse(RefusedNotApprover, "%s is not a known approver", by.Identity)
	case d.CallKey == "" || len(d.Hooks) == 0 || d.Policy == "":
		return nil, refuse(RefusedState, "the record does not say which call was denied by whom")
	case strings.TrimSpace(by.Reason) == "":
		return nil, refuse(RefusedComment, "give a reason: it is recorded")
	}
	shown, err := json.Marshal(read{d.Shown})
	if err != nil {
		return nil, err
	}
	g := &store.Grant{Scope: ScopeOnce, By: who, Hooks: ordered(d.Hooks), Policy: d.Policy, Digest: d.CallKey, Project: d.Project,
		Host: d.Host, Tool: d.Tool, Match: shown, Most: 1}
	return g, s.put(ctx, g, by)
}

// read is what a person has read about the call that they allow.
type read struct {
	Shown string `json:"shown"`
}

// Overruled identifies a denial: these hooks, under this configuration, and what
// its record says about the call.
type Overruled struct {
	Hooks  []string
	Policy string
	Shown  string
}

// FindOnce finds a person's permission for a denied call, nil if there is none;
// UseOnce uses it.
func (s *Service) FindOnce(ctx context.Context, ev *trammel.Event, o Overruled) (*store.Grant, error) {
	fits, err := once(ev, o)
	if err != nil {
		return nil, err
	}
	holds := func(g *store.Grant) bool { return s.grantApplies(g, ev) && fits(g) }
	all, err := s.grants(ctx, ev)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(all, holds); i >= 0 {
		return all[i], nil
	}
	return s.repeatedUse(ctx, ev, holds, false)
}

// UseOnce uses the permission that FindOnce finds; nil if it is gone.
func (s *Service) UseOnce(ctx context.Context, ev *trammel.Event, o Overruled) (*store.Grant, error) {
	fits, err := once(ev, o)
	if err != nil {
		return nil, err
	}
	return s.use(ctx, ev, fits)
}

func once(ev *trammel.Event, o Overruled) (fits func(g *store.Grant) bool, err error) {
	_, key, _, err := digestOf(ev, "")
	hooks := ordered(o.Hooks)
	return func(g *store.Grant) bool {
		var of read
		return json.Unmarshal(g.Match, &of) == nil && of.Shown == o.Shown &&
			g.Scope == ScopeOnce && g.Most == 1 && g.Digest == key && g.Policy == o.Policy && slices.Equal(g.Hooks, hooks)
	}, err
}

func ordered(hooks []string) []string {
	out := slices.Clone(hooks)
	slices.Sort(out)
	return slices.Compact(out)
}
