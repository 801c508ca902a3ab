package approvals

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/store"
)

// Used or revoked approvals are stored a second time outside of the store:
// editing the store, restoring an old copy or using another store does not make
// them usable again.

// spentBucket outlasts every window and every grant.
var spentBucket = trammel.Bucket{Name: "approvals/spent", Keep: 90 * 24 * time.Hour}

func spentAsk(a *store.Approval, ask int) string { return fmt.Sprintf("%s/%d", a.ID, ask) }

func spentUse(g *store.Grant, use int) string { return fmt.Sprintf("%s/%d", g.ID, use) }

// unspent refuses an approval that was used. If that cannot be read, it refuses, too.
func (s *Service) unspent(ctx context.Context, what string) error {
	if s.Spent == nil {
		return nil
	}
	return s.Spent.View(ctx, &spentBucket, []trammel.Key{{what}}, func(values [][]byte) error {
		if values[0] != nil {
			return refuse(RefusedState, "it was used or revoked, but the store says otherwise: somebody has changed the store")
		}
		return nil
	})
}

// spend is called after the store has changed: after a crash in between, the
// store still says that it is used. by is the host's id of the call that used
// it.
func (s *Service) spend(ctx context.Context, what, by string) error {
	if s.Spent == nil {
		return nil
	}
	return s.Spent.Update(ctx, &spentBucket, []trammel.Key{{what}}, func(values [][]byte) error {
		values[0] = []byte(s.Now().UTC().Format(time.RFC3339) + " " + by)
		return nil
	})
}

// spendOn is spend for the call of an event, which may be reported again.
func (s *Service) spendOn(ctx context.Context, what string, ev *trammel.Event) error {
	if s.Spent == nil {
		return nil
	}
	return errors.Join(state.Passed{State: s.Spent}.Began(ctx, ev, what), s.spend(ctx, what, ev.Tool.ID))
}

// spentBy reports whether this call has used an approval that is used in the
// store. That is stored a moment later than in the store.
func (s *Service) spentBy(ctx context.Context, what, by string) (is bool, err error) {
	if s.Spent == nil {
		return true, nil
	}
	for there, n := false, 0; err == nil && !there && n < 10; n++ {
		if n > 0 {
			time.Sleep(20 * time.Millisecond)
		}
		err = s.Spent.View(ctx, &spentBucket, []trammel.Key{{what}}, func(values [][]byte) error {
			_, call, _ := strings.Cut(string(values[0]), " ")
			there, is = values[0] != nil, values[0] != nil && call == by
			return nil
		})
	}
	return is, err
}
