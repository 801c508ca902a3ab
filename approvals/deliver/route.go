package deliver

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/store"
)

// route is the delivery through one channel.
type route struct {
	*Worker
	name    string
	channel channels.Channel
	started bool
	// open are approvals whose messages can still change.
	open map[string]bool
}

// updatable is the maximum age of an approval whose message is updated after a
// restart. Platforms do not change older ones.
const updatable = 14 * 24 * time.Hour

// maxFailures is how many failures end a round: the channel is likely to fail
// for the others, too, and they are due again soon.
const maxFailures = 3

// round does what is due. A failed message does not stop the next ones, unless
// the platform wants us to wait.
func (r *route) round(ctx context.Context) error {
	due, err := r.due(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, a := range due {
		err := r.bring(ctx, a)
		if err == nil {
			continue
		}
		failed = append(failed, err)
		var f *channels.Failure
		if ctx.Err() != nil || len(failed) == maxFailures || errors.As(err, &f) && f.After > 0 {
			break
		}
	}
	return errors.Join(failed...)
}

// due lists, oldest first, the approvals that may need a message: the open
// ones, those that were open last time, and those that came and ended since.
func (r *route) due(ctx context.Context) ([]*store.Approval, error) {
	var out []*store.Approval
	here := map[string]bool{}
	add := func(a *store.Approval) {
		if !here[a.ID] && r.concerns(a) {
			out = append(out, a)
		}
		here[a.ID] = true
	}
	if err := r.pages(ctx, store.Query{States: []store.State{store.Pending, store.Approved}}, add, nil); err != nil {
		return nil, err
	}
	if err := r.ended(ctx, add); err != nil {
		return nil, err
	}
	for id := range r.open {
		if here[id] {
			continue
		}
		a, err := r.Service.Store.Approval(ctx, id)
		if err != nil {
			return nil, err
		}
		add(a)
	}
	clear(r.open)
	slices.SortFunc(out, func(a, b *store.Approval) int { return cmp.Compare(a.Seq, b.Seq) })
	for _, a := range out {
		r.open[a.ID] = true
	}
	return out, nil
}

// pages adds the results of a query, newest first, while there are more pages
// and more returns true.
func (r *route) pages(ctx context.Context, q store.Query, add func(*store.Approval), more func(last *store.Approval) bool) error {
	for {
		list, err := r.Service.Store.Approvals(ctx, q)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, a := range list {
			add(a)
			q.Before = a.Seq
		}
		if more != nil && !more(list[len(list)-1]) {
			return nil
		}
	}
}

// ended lists finished approvals: at the start all that can be updated, later
// the newest.
func (r *route) ended(ctx context.Context, add func(*store.Approval)) error {
	q := store.Query{States: []store.State{store.Rejected, store.Expired, store.Cancelled, store.Consumed, store.Lapsed, store.Revoked}}
	err := r.pages(ctx, q, add, func(last *store.Approval) bool {
		return !r.started && r.Service.Now().Sub(last.Created.Time) <= updatable
	})
	r.started = r.started || err == nil
	return err
}

// concerns reports whether there may be something to do about an approval, now
// or later.
func (r *route) concerns(a *store.Approval) bool {
	d := find(a, r.name)
	if d == nil {
		return a.State == store.Pending && r.wants(a, r.name)
	}
	return d.State != final
}

func find(a *store.Approval, name string) *store.Delivery {
	for i := range a.Deliveries {
		if a.Deliveries[i].Channel == name {
			return &a.Deliveries[i]
		}
	}
	return nil
}
