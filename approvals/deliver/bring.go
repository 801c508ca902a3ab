package deliver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/store"
)

// The states of a delivery.
const (
	waiting = "waiting" // a server is sending it, until Next
	sent    = "sent"    // the message was sent, and Shows says what it shows
	failed  = "failed"  // it is retried at Next
	final   = "final"   // the state is final, or the message cannot be delivered
)

// lease is how long a server has for one message before another takes over.
const lease = 30 * time.Second

// pauses are the times between attempts; the last one stays.
var pauses = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute}

// maxAttempts is how often the message of a finished approval is tried.
const maxAttempts = 12

var (
	errNotDue = errors.New("nothing is due")
	errOver   = errors.New("there is no message, and nothing is left to decide")
)

// bring updates the message about one approval, if that is due and no other
// server does it.
func (r *route) bring(ctx context.Context, a *store.Approval) error {
	if !r.isDue(a) {
		return nil
	}
	a, err := r.claim(ctx, a.ID)
	switch {
	case errors.Is(err, errNotDue):
		return nil
	case err != nil:
		return err
	}
	d := *find(a, r.name)
	claimed, shows := d.Next, channels.StandingOf(a)
	err = r.send(ctx, &d, a)
	if ctx.Err() != nil {
		return ctx.Err() // the lease expires, and another server does it
	}
	r.settle(&d, shows, err)
	if keep := r.store(ctx, a.ID, claimed, &d); keep != nil {
		return keep
	}
	if err != nil && !errors.Is(err, errOver) {
		return fmt.Errorf("%s: %w", a.ID, err)
	}
	return nil
}

// send sends or updates a message. A deleted message is sent again while there
// is something to decide.
func (r *route) send(ctx context.Context, d *store.Delivery, a *store.Approval) error {
	if d.Shows != "" {
		err := r.channel.Update(ctx, d, a)
		var f *channels.Failure
		if !errors.As(err, &f) || !f.Gone {
			return err
		}
	}
	if a.State != store.Pending {
		return errOver
	}
	m, err := r.channel.Deliver(ctx, a)
	if err == nil {
		d.Target, d.Ref = m.Target, m.Ref
	}
	return err
}

// isDue reports whether the message has to be sent, or changed, now.
func (r *route) isDue(a *store.Approval) bool {
	d := find(a, r.name)
	if d == nil {
		return a.State == store.Pending && r.wants(a, r.name)
	}
	left := d.Next.Sub(r.Service.Now())
	if d.State == final || left > 0 && left <= channels.MaxAfter { // if more is left, the clock was changed
		return false
	}
	return d.Shows != channels.StandingOf(a).String()
}

// claim takes the delivery for this server, for a while.
func (r *route) claim(ctx context.Context, id string) (*store.Approval, error) {
	return r.Service.Store.Change(ctx, id, func(a *store.Approval) ([]store.Note, error) {
		if !r.isDue(a) {
			return nil, errNotDue
		}
		d := find(a, r.name)
		if d == nil {
			a.Deliveries = append(a.Deliveries, store.Delivery{Channel: r.name})
			d = &a.Deliveries[len(a.Deliveries)-1]
		}
		d.State, d.Next = waiting, store.At(r.Service.Now().Add(lease))
		d.Attempts++
		return nil, nil
	})
}

// settle stores the result of an attempt.
func (r *route) settle(d *store.Delivery, shows channels.Standing, err error) {
	if err == nil {
		d.State, d.Shows, d.Error, d.Next, d.Attempts = sent, shows.String(), "", store.Time{}, 0
		if shows.Over() {
			d.State = final
		}
		return
	}
	if d.State = failed; errors.Is(err, errOver) {
		d.State = final
		return
	}
	d.Error, _ = secret.Redact(err.Error())
	pause := pauses[min(d.Attempts-1, len(pauses)-1)]
	var f *channels.Failure
	if errors.As(err, &f) {
		pause = max(pause, f.After)
	}
	d.Next = store.At(r.Service.Now().Add(pause))
	if shows.Over() && d.Attempts >= maxAttempts {
		d.State = final
	}
}

// store stores the delivery, if this server still has the lease: a slow server
// must not undo what another has done since.
func (r *route) store(ctx context.Context, id string, claimed store.Time, done *store.Delivery) error {
	_, err := r.Service.Store.Change(ctx, id, func(a *store.Approval) ([]store.Note, error) {
		d := find(a, r.name)
		if d == nil || d.State != waiting || d.Next != claimed {
			return nil, errNotDue
		}
		*d = *done
		return nil, nil
	})
	if errors.Is(err, errNotDue) {
		return nil
	}
	return err
}
