package pipeline

import (
	"context"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/state"
)

// reply turns a verdict into the host's reply: it adds pending context,
// degrades what the host does not support, writes the record, and then encodes
// the verdict in the host's language.
func (j *job) reply(ctx context.Context, judged *Judged) trammel.Reply {
	ev, v := judged.Event, judged.Verdict
	powers := dialects.PowersFor(j.dialect, ev, v)
	closeIfCanceled(ev, v)
	j.tellNotes(ctx, judged)
	j.capStops(ctx, ev, v, powers)
	j.remember(ctx, ev, v)
	pending := state.Pending(j.State, ev)
	if powers.Can.Any(trammel.Inject) && v.Decision < trammel.Deny {
		v.Context = append(pending.Take(ctx), v.Context...)
	}
	pending.Put(ctx, dialects.Degrade(ev, v, powers))
	if err := j.Record(ctx, judged, nil); err != nil {
		unrecorded(judged, err)
	}
	j.announce(ctx, judged)
	j.offered(v)
	return j.dialect.EncodeVerdict(ev, v)
}

// closeIfCanceled: a host that gives up while a guard is at work must not read
// our silence as consent. For a library a cancellation is not a denial; for a
// process that is about to answer it has to be one.
func closeIfCanceled(ev *trammel.Event, v *trammel.Verdict) {
	if v.Canceled && ev.Kind.FailsClosed() && v.Decision < trammel.Deny {
		v.Decision, v.Granted = trammel.Deny, false
		v.Reason = "Trammel was stopped before all hooks had answered, so the event is blocked."
	}
}
