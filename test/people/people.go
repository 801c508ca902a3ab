// Package people decides about approvals as a person does, for tests: it knows
// the authority secret of a state directory, and signs.
package people

import (
	"context"
	"fmt"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/store"
)

// Secret is the authority secret that SetUp sets.
const Secret = "correct horse battery staple"

// SetUp makes the authority key of a state directory, and returns its identity.
func SetUp(state string) (identity string, err error) {
	ring, err := approvals.LoadKeyring(state)
	if err != nil {
		return "", err
	}
	if ring.Authority, err = approvals.Seal(Secret); err != nil {
		return "", err
	}
	return "authority:" + approvals.KeyID(ring.Authority.Public), ring.Save(state)
}

// Decision is what the person says.
type Decision struct {
	Approve bool
	Comment string
	// Host, if set, is the agent whose request this is; others are left alone.
	Host string
	// Parked is true if the person takes so long that the agent is sent away.
	Parked bool
	// Before, if set, is called between the look and the vote.
	Before func()
	// Edit, if set, changes the call.
	Edit func(a *store.Approval) (*store.Edit, error)
}

// Decide waits for a request, and decides about it.
func Decide(ctx context.Context, state string, settings approvals.Settings, d Decision) (*store.Approval, error) {
	ring, err := approvals.LoadKeyring(state)
	if err != nil {
		return nil, err
	}
	key, err := ring.Authority.Open(Secret)
	if err != nil {
		return nil, err
	}
	at := desk.Desk{StateDir: state, Settings: settings}
	defer at.Close()
	s, err := at.Service(ctx)
	if err != nil {
		return nil, err
	}
	a, err := pending(ctx, s, d)
	if err != nil {
		return nil, err
	}
	if d.Before != nil {
		d.Before()
	}
	vote := approvals.Decision{Approval: a.ID, Nonce: a.Nonce, Digest: approvals.Shown(a), Approve: d.Approve, Comment: d.Comment,
		Identity: "authority:" + key.KeyID(), Channel: "terminal", Signer: key}
	if d.Edit != nil {
		if vote.Edit, err = d.Edit(a); err != nil {
			return nil, err
		}
	}
	return s.Decide(ctx, vote)
}

// Wait returns as soon as a request is open.
func Wait(ctx context.Context, state string) error {
	at := desk.Desk{StateDir: state}
	defer at.Close()
	s, err := at.Service(ctx)
	if err != nil {
		return err
	}
	_, err = pending(ctx, s, Decision{})
	return err
}

// pending waits for the newest open request that the decision is about.
func pending(ctx context.Context, s *approvals.Service, d Decision) (*store.Approval, error) {
	for {
		list, err := s.Store.Approvals(ctx, store.Query{States: []store.State{store.Pending}})
		if err != nil {
			return nil, err
		}
		for _, a := range list {
			if (d.Host == "" || a.Host == d.Host) && (!d.Parked || !a.Asks[0].Parked.IsZero()) {
				return a, nil
			}
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("nobody asks: %w", ctx.Err())
		}
		time.Sleep(20 * time.Millisecond)
	}
}
