package approvals

import (
	"context"
	"errors"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// Sweep does what is due for all open requests: it expires, lapses, reminds and
// escalates, and records what is not recorded yet. Any number of processes may
// call it; each step happens once.
func (s *Service) Sweep(ctx context.Context) error {
	var failed error
	for before := int64(0); ; {
		list, err := s.Store.Approvals(ctx, store.Query{States: []store.State{store.Pending, store.Approved}, Before: before})
		if err != nil {
			return err
		}
		for _, a := range list {
			before = a.Seq
			if _, err := s.applyDue(ctx, a); err != nil {
				failed = errors.Join(failed, err)
			} else if err := s.prompt(ctx, a); err != nil {
				failed = errors.Join(failed, err)
			}
		}
		if len(list) == 0 {
			return errors.Join(failed, s.flush(ctx))
		}
	}
}

// prompt reminds people of pending requests, and escalates.
func (s *Service) prompt(ctx context.Context, a *store.Approval) error {
	if r, e := s.steps(a); r <= a.Reminded && e <= a.Escalated {
		return nil
	}
	_, err := s.change(ctx, a.ID, func(a *store.Approval) (string, error) {
		reminded, escalated := s.steps(a)
		switch {
		case escalated > a.Escalated:
			a.Escalated = escalated
			return "escalated", nil
		case reminded > a.Reminded:
			a.Reminded = reminded
			return "reminded", nil
		}
		return "", nil
	})
	return err
}

// steps is how often people should have been reminded by now, and how far it
// should have been escalated.
func (s *Service) steps(a *store.Approval) (reminded, escalated int) {
	if a.State != store.Pending {
		return 0, 0
	}
	age := s.Now().Sub(a.Created.Time)
	for _, after := range a.Needs.Reminders {
		if age >= after {
			reminded++
		}
	}
	return reminded, min(len(a.Needs.Escalate), per(age, a.Needs.Every))
}

func per(age, every time.Duration) int {
	if every <= 0 {
		return 0
	}
	return int(age / every)
}
