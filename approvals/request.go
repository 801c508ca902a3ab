package approvals

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
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

// UserOf is who runs the agent of an event.
func UserOf(ev *trammel.Event) string {
	return cmp.Or(ev.Session.User, ev.Session.Account, fmt.Sprintf("os:%d", os.Getuid()))
}

// Ask stores a request, or joins the open one for an identical call. If the
// same call was asked before and its agent does not know the result yet, the
// finished request is returned. Requests that the new one replaces are
// cancelled.
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
	ask := store.Ask{Session: ev.Session.ID, Agent: ev.Session.AgentID, Host: ev.Host, User: r.User, Account: ev.Session.Account,
		Call: ev.Tool.ID, At: store.At(now)}
	a := &store.Approval{ID: newID("apr_"), Nonce: newID(""), State: store.Pending, Created: store.At(now), Window: r.Window,
		Tool: ev.Tool.Name, Args: args, Digest: digest, CallKey: key, Summary: summary.Target(&ev.Tool.Action), Effects: r.Effects, Host: ev.Host,
		Agent: ev.Session.Agent, Parents: ev.Session.Parents, User: r.User,
		Account: ev.Session.Account, Project: ev.Session.Project, Dir: ev.Session.Dir, Hook: r.Hook,
		Source: r.Source, PolicyDigest: r.Policy, Reason: r.Reason, Needs: r.Needs, Asks: []store.Ask{ask}}
	if r.Expires > 0 {
		a.Expires = store.At(now.Add(r.Expires))
	}
	if !s.possible(a) {
		return nil, refuse(RefusedNotApprover, "%s would have to approve, but the requester cannot be one of them", needs(a))
	}
	if err := s.flush(ctx); err != nil {
		return nil, err
	}
	if old, err := s.unheard(ctx, digest, &ask, ev); old != nil || err != nil {
		return old, err
	}
	return s.create(ctx, a)
}

// create stores a request, or joins one. If that one ends in between, it tries
// again.
func (s *Service) create(ctx context.Context, a *store.Approval) (*store.Approval, error) {
	for range 5 {
		notes := []store.Note{s.note("requested", a)}
		got, err := s.Store.Create(ctx, a, notes...)
		switch {
		case err == nil:
			return got, errors.Join(s.record(ctx, notes), s.supersede(ctx, got))
		case !errors.Is(err, store.ErrExists):
			return nil, err
		}
		if ended, err := s.leftAhead(ctx, got, a.Asks[0].Session); err != nil {
			return nil, err
		} else if ended {
			continue
		}
		got, err = s.join(ctx, got, a.Asks[0])
		if got != nil || err != nil {
			return got, err
		}
	}
	return nil, refuse(RefusedState, "too many identical calls come and go; try again")
}

// unheard finds an earlier, finished request for the same call whose result its
// agent does not know: it was parked, or its process died. Requests that were
// superseded by another call of the agent do not count. If the host repeats a
// call within a moment, it gets the same result again.
func (s *Service) unheard(ctx context.Context, digest string, ask *store.Ask, ev *trammel.Event) (*store.Approval, error) {
	list, err := s.Store.Approvals(ctx, store.Query{Digest: digest, Session: ask.Session, Most: 1})
	if err != nil || len(list) == 0 || ask.Session == "" {
		return nil, err
	}
	a, err := s.applyDue(ctx, list[0])
	if i := s.answered(a, ask.Session, ask.Agent, ask.Call); err == nil && i >= 0 {
		same := a.Asks[i].Used.IsZero() || s.Spent == nil
		if !same {
			same, err = state.Passed{State: s.Spent}.Open(ctx, ev, spentAsk(a, i))
		}
		if same || err != nil {
			return a, err
		}
	}
	if err != nil || a.State.Open() || superseded(a) {
		return nil, err
	}
	if a.Unused(ask.Session, ask.Agent) < 0 {
		return nil, nil
	}
	return a, nil
}

// join adds a call to an open request. A call that was asked before and has not
// run yet is the same call. It returns nothing if the request has ended.
func (s *Service) join(ctx context.Context, a *store.Approval, ask store.Ask) (*store.Approval, error) {
	a, err := s.applyDue(ctx, a)
	if err != nil || !a.State.Open() {
		return nil, err
	}
	if a.Unused(ask.Session, ask.Agent) >= 0 {
		return a, nil
	}
	a, err = s.change(ctx, a.ID, func(a *store.Approval) (string, error) {
		switch {
		case !s.due(a).Open():
			return "", errEnded
		case len(a.Votes) > 0: // people have voted about fewer calls than there would be
			return "", refuse(RefusedState, "people are deciding about an identical call; try again after it has run")
		}
		if a.Asks = append(a.Asks, ask); !s.possible(a) {
			return "", refuse(RefusedNotApprover, "an identical call is waiting, and too few people would be left to decide about both")
		}
		return "joined", nil
	})
	if errors.Is(err, errEnded) {
		return nil, nil
	}
	return a, err
}

var errEnded = errors.New("it has ended")

// applyDue applies what is due by the clock: a request expires even if Sweep has
// not run.
func (s *Service) applyDue(ctx context.Context, a *store.Approval) (*store.Approval, error) {
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
