// Package pipeline judges events: load the configuration, select hooks, bind
// them, dispatch, degrade, record. Judge ends with the verdict; Answer handles
// the call of a host, from its payload to the reply in its own language. Both
// programs, and everything else that judges events, use this package with
// different parts.
//
// There is always a reply, it comes before the host's deadline, and it fails
// closed on events that a denial prevents.
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
	State    trammel.State // for data that outlasts an event

	// Load opens the plan for a set of sources. The fast program only reads the
	// cache; the full one compiles.
	Load func(set *layers.Set) (*plan.Plan, error)

	// Admit trusts files of a set that were signed with a known key. It reports
	// whether there were any, because then the set has changed. Nil admits none.
	Admit func(set *layers.Set) bool

	// HandOff passes the whole call to a program that can do more, if Load
	// finds nothing usable or a hook needs a handler that is not linked in. Nil
	// means that there is no such program.
	HandOff func(ctx context.Context, call Call, raw []byte) (trammel.Reply, error)

	// People asks people about calls when the host cannot ask its user, and
	// changes the verdict accordingly. It is also called when a session ends, to
	// cancel its requests. If nil, such calls are handed over.
	People func(ctx context.Context, j *Judged) error
	// AskPeople makes Dispatch use People for questions that its caller cannot
	// ask.
	AskPeople bool

	// Overrule returns a person's permission for a call that these hooks have
	// denied, nil if there is none. If Overrule is nil, such calls are handed over.
	Overrule func(ctx context.Context, j *Judged, hooks []string) (*Overruling, error)

	// Paused returns a person's verified pause, nil if there is none. If Paused
	// is nil, calls during a pause are handed over.
	Paused func(c *Config) *Pausing

	// Sink takes the records of events. If nil, they are appended to the
	// project's evidence in the state directory.
	Sink func(ctx context.Context, r *evidence.Record) error

	// Remember is how long a process that judges many events caches a
	// configuration. 0 reads the files for each event.
	Remember time.Duration
	configs  remembered[Config]
	logs     remembered[place]
	looked   atomic.Int64 // when notes were last checked

	// Logs, if set, appends many records at once, for a long-running process.
	Logs *evidence.Group

	// Witness, if set, is called for each hook that runs; see trammel.WithWitness.
	Witness func(h *trammel.Hook, ev *trammel.Event)

	// Observe, if set, sees the record of each event.
	Observe func(r *evidence.Record)

	// Watchdog replies when the host is about to give up. Nil waits forever.
	Watchdog *Watchdog

	// Gone, if set, reports whether the host that would get the reply is gone.
	Gone func() bool
	// Interrupts returns a context that ends when the host asks the process to
	// stop. It is called only if hooks wait for an external program or service,
	// because listening for signals costs a thread. Nil does not listen.
	Interrupts func(context.Context) (context.Context, context.CancelFunc)
}

// waiting returns the context for hooks that wait. It ends with the deadline or
// with the process.
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

// AgainFlag marks a call that is judged again.
const AgainFlag = "--again"

// Call is one call from a host.
type Call struct {
	Host  string // which dialect
	Event string // the event's name in the wiring; may be empty
	Stdin io.Reader
	// Payload is used if Stdin is nil: the payload has been read already.
	Payload []byte
	// Dir is the directory in which the host started us.
	Dir    string
	Getenv func(string) string
	// User is whose event it is, if that is known for certain. It counts instead of
	// what the payload says.
	User string
	// Account is who submits the event, perhaps for the user that the payload names.
	Account string
	// Wait is how long the host waits for the reply, according to the wiring.
	// If that does not say, it is 0, and the host's default applies.
	Wait time.Duration
	// Again is true if another program has judged the call before handing it over.
	Again bool
	// Only names the only policy to run, for hosts that call policies by name.
	// If empty, all policies run that the configuration selects.
	Only string
}

// margin is the part of the host's time that the hooks do not get: it is for
// starting, reading, recording and writing the reply.
func margin(deadline time.Duration) time.Duration {
	return min(deadline/5, 5*time.Second)
}

// defaultDeadline applies to events for which the host has no deadline.
const defaultDeadline = 30 * time.Second

// maxRead is the absolute limit for a payload, whatever the settings say.
const maxRead = 16 << 20
