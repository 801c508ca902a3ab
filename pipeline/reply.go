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

// closeIfCanceled denies an event whose guards were interrupted. A host that
// gives up while a guard is running must not take our silence as consent. A
// library need not treat a cancellation as a denial; a process that is about to
// reply must.
func closeIfCanceled(ev *trammel.Event, v *trammel.Verdict) {
	if v.Canceled && ev.Kind.FailsClosed() && v.Decision < trammel.Deny {
		v.Decision, v.Granted = trammel.Deny, false
		v.Reason = "Trammel was stopped before all hooks had answered, so the event is blocked."
	}
}
