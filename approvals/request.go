package approvals

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/summary"
	"github.com/trammel-dev/trammel/store"
)

// Request is a call that people have to decide about.
type Request struct {
	Event   *trammel.Event
	Hook    string
	Source  string
	Policy  string // the digest of the configuration
	Reason  string
	Effects []string
	User    string // who runs the agent, as an identity: os:1000
	Needs   store.Needs
	Expires time.Duration // 0 is never
	Window  time.Duration
}

// Ask stores a request, or joins the open one for an identical call. An earlier
// request of the same session and hook for another call is cancelled: the agent
// has changed its mind.
func (s *Service) Ask(ctx context.Context, r *Request) (*store.Approval, error) {
	ev := r.Event
	if err := s.Roster.Check(&r.Needs); err != nil {
		return nil, err
	}
	digest, key, args, err := digestOf(ev, r.Policy)
	if err != nil {
		return nil, err
	}
	if r.Effects == nil {
		r.Effects = effectsOf(ev)
	}
	now := s.Now()
	ask := store.Ask{Session: ev.Session.ID, Agent: ev.Session.AgentID, Host: ev.Host, Call: ev.Tool.ID, At: store.At(now)}
	a := &store.Approval{ID: newID("apr_"), Nonce: newID(""), State: store.Pending, Created: store.At(now), Window: r.Window,
		Tool: ev.Tool.Name, Args: args, Digest: digest, CallKey: key, Summary: summary.Target(&ev.Tool.Action), Effects: r.Effects, Host: ev.Host,
		Agent: ev.Session.Agent, Parents: ev.Session.Parents, User: r.User, Project: ev.Session.Project, Dir: ev.Session.Dir, Hook: r.Hook,
		Source: r.Source, PolicyDigest: r.Policy, Reason: r.Reason, Needs: r.Needs, Asks: []store.Ask{ask}}
	if r.Expires > 0 {
		a.Expires = store.At(now.Add(r.Expires))
	}
	got, err := s.Store.Create(ctx, a, s.note("requested", a))
	if errors.Is(err, store.ErrExists) {
		return s.join(ctx, got, ask)
	}
	if err != nil {
		return nil, err
	}
	if err := s.supersede(ctx, got); err != nil {
		return nil, err
	}
	return got, s.Flush(ctx)
}

// supersede cancels what a new request takes the place of: the same call under
// another policy, and what this agent was told to come back for and came back
// with other arguments. Calls that an agent makes side by side are no
// replacement for each other.
func (s *Service) supersede(ctx context.Context, a *store.Approval) error {
	ask := &a.Asks[0]
	open := []store.State{store.Pending, store.Approved}
	same, err := s.Store.Approvals(ctx, store.Query{States: open, CallKey: a.CallKey})
	if err != nil {
		return err
	}
	for _, old := range same {
		if old.PolicyDigest != a.PolicyDigest {
			if err := s.Cancel(ctx, old.ID, "the policy has changed"); err != nil {
				return err
			}
		}
	}
	if ask.Session == "" {
		return nil
	}
	others, err := s.Store.Approvals(ctx, store.Query{States: open[:1], Session: ask.Session})
	if err != nil {
		return err
	}
	for _, old := range others {
		if old.Hook == a.Hook && old.Tool == a.Tool && old.Digest != a.Digest && s.abandoned(old, ask) {
			if err := s.Cancel(ctx, old.ID, "the agent asks for other arguments now: "+a.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// sideBySide is within which time two calls count as made at once.
const sideBySide = 2 * time.Second

// abandoned reports whether only this agent asked, and was sent away a while ago.
func (s *Service) abandoned(a *store.Approval, ask *store.Ask) bool {
	return !slices.ContainsFunc(a.Asks, func(k store.Ask) bool {
		return k.Session != ask.Session || k.Agent != ask.Agent || k.Parked.IsZero() || s.Now().Sub(k.Parked.Time) < sideBySide
	})
}

// join adds a call to an open request. A call that has asked before, and was
// not let through yet, is the same call again.
func (s *Service) join(ctx context.Context, a *store.Approval, ask store.Ask) (*store.Approval, error) {
	if a.Unused(ask.Session, ask.Agent) >= 0 {
		return s.settle(ctx, a)
	}
	if a.State != store.Pending { // decided for others, before this one asked
		return nil, refuse(RefusedState, "an identical call has been approved and is about to run; ask again after it")
	}
	return s.change(ctx, a.ID, func(a *store.Approval) (string, error) {
		if a.State != store.Pending {
			return "", refuse(RefusedState, "an identical call was decided a moment ago; ask again")
		}
		a.Asks = append(a.Asks, ask)
		return "joined", nil
	})
}

// settle lets the clock have its say: what is over is over, whether or not
// somebody has swept.
func (s *Service) settle(ctx context.Context, a *store.Approval) (*store.Approval, error) {
	if s.due(a) == a.State {
		return a, nil
	}
	return s.change(ctx, a.ID, func(a *store.Approval) (string, error) {
		to := s.due(a)
		if to == a.State {
			return "", nil
		}
		a.State = to
		return string(to), nil
	})
}

// due is the state that the clock alone brings about.
func (s *Service) due(a *store.Approval) store.State {
	now := s.Now()
	switch {
	case a.State == store.Pending && !a.Expires.IsZero() && !now.Before(a.Expires.Time):
		return store.Expired
	case a.State == store.Approved && !a.Until.IsZero() && !now.Before(a.Until.Time):
		return store.Lapsed
	}
	return a.State
}
