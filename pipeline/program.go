// Package pipeline is the way an event is judged: load the configuration,
// select hooks, bind them, dispatch, degrade, record. Judge goes as far as the
// verdict; Answer takes the call of a host, from its payload to the reply in its
// own language. Both programs, and everything else that judges events, are this
// package with different parts put in.
//
// Whatever happens on the way, there is a reply, it comes before the host's
// deadline, and on events that a denial prevents it fails closed.
package pipeline

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/plan"
)

// Program has the parts of one of the two programs.
type Program struct {
	Version  string
	Dirs     layers.Dirs
	Dialects *dialects.Set
	Registry *trammel.Registry
	State    trammel.State // what outlasts an event

	// Load opens the plan for a set of sources. The hot program only looks
	// into the cache; the full one compiles.
	Load func(set *layers.Set) (*plan.Plan, error)

	// Admit trusts files of a set that a known key has signed, and reports
	// whether there were any: then the set is another one. Nil admits none.
	Admit func(set *layers.Set) bool

	// HandOff gives the whole call to a program that can do more, where Load
	// found nothing usable or a hook needs a handler that is not linked in.
	// Nil where there is no such program.
	HandOff func(ctx context.Context, call Call, raw []byte) (trammel.Reply, error)

	// People has people decide what a host cannot ask its user about, and changes
	// the verdict accordingly. It also gets the ends of sessions, and cancels what
	// only they wait for. Nil where such a call has to be handed on.
	People func(ctx context.Context, j *Judged) error
	// AskPeople is true if Dispatch has People decide what its caller has nobody
	// to ask about.
	AskPeople bool

	// Overrule finds a person's word that a call may pass that these hooks have
	// denied, nil if there is none. Nil where such a call has to be handed on.
	Overrule func(ctx context.Context, j *Judged, hooks []string) (*Overruling, error)

	// Paused verifies the pause that a person may have begun, nil if none holds. Nil
	// where calls during a pause have to be handed on.
	Paused func(c *Config) *Pausing

	// Sink takes the records of events. Nil appends them to the evidence of the
	// project in the state directory.
	Sink func(ctx context.Context, r *evidence.Record) error

	// Remember is for how long a configuration that was found counts, for a
	// process that judges many events. 0 looks at its files for each.
	Remember time.Duration
	configs  remembered[Config]
	logs     remembered[place]
	looked   atomic.Int64 // when notes were looked for

	// Logs, if set, appends many records at once, for a process that lives long.
	Logs *evidence.Group

	// Witness, if set, is called for each hook that is asked; see trammel.WithWitness.
	Witness func(h *trammel.Hook, ev *trammel.Event)

	// Observe, if set, sees the record of each event.
	Observe func(r *evidence.Record)

	// Watchdog replies when the host is about to give up. Nil waits forever.
	Watchdog *Watchdog

	// Gone, if set, reports whether the host has gone that would get the reply.
	Gone func() bool
	// Interrupts returns a context that ends when the host tells the process
	// to end. It is called only where hooks wait for something outside: to
	// listen for signals costs a thread. Nil does not listen.
	Interrupts func(context.Context) (context.Context, context.CancelFunc)
}

// waiting is the context for what waits outside: it ends with the deadline,
// and with the process.
func (p *Program) waiting(ctx context.Context, deadline time.Time) (context.Context, context.CancelFunc) {
	stop := func() {}
	if p.Interrupts != nil {
		ctx, stop = p.Interrupts(ctx)
	}
	if deadline.IsZero() {
		return ctx, stop
	}
	ctx, cancel := context.WithDeadline(ctx, deadline)
	return ctx, func() { cancel(); stop() }
}

// AgainFlag is how a program is told that it judges a call again.
const AgainFlag = "--again"

// Call is one call from a host.
type Call struct {
	Host  string // which dialect
	Event string // what the wiring calls the event; may be empty
	Stdin io.Reader
	// Payload is used if there is no Stdin: it has been read already.
	Payload []byte
	// Dir is the directory that the host started us in.
	Dir    string
	Getenv func(string) string
	// Wait is how long the host waits for the reply, as the wiring says; 0 if it
	// says nothing, and then it is what is known of the host.
	Wait time.Duration
	// Again is true if the call was judged before it was handed on.
	Again bool
	// Only is the one policy that is asked, on hosts that call policies by
	// name. Empty asks all that the configuration selects.
	Only string
}

// margin is what is kept of the host's time for everything but the hooks:
// starting us, reading, recording, writing the reply.
func margin(deadline time.Duration) time.Duration {
	return min(deadline/5, 5*time.Second)
}

// defaultDeadline is assumed for events whose host says nothing.
const defaultDeadline = 30 * time.Second

// maxRead is the most that is ever read of a payload, whatever the settings say.
const maxRead = 16 << 20
