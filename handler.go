package trammel

import "context"

// Handler answers events: a rule, a built-in policy, a program outside, a
// model, a human.
//
// Handle must return soon after ctx is done; no goroutine it starts may
// outlive the call. It must be safe for concurrent use and must not change ev.
// An error is a failure of the hook and takes the failure path; it is never an
// opinion. To say no, return an Answer that denies.
type Handler interface {
	Handle(ctx context.Context, ev *Event) (Answer, error)
}

// HandlerFunc is a function that is a Handler.
type HandlerFunc func(ctx context.Context, ev *Event) (Answer, error)

// Handle calls f.
func (f HandlerFunc) Handle(ctx context.Context, ev *Event) (Answer, error) { return f(ctx, ev) }

// Waiter is implemented by handlers that wait for something outside: a
// process, a network, a person. Guards and observers that wait run
// concurrently; all others run inline, because a goroutine costs more than
// they do.
type Waiter interface {
	Handler
	Waits() bool
}

// Gate is implemented by handlers that must see only what all guards have let
// pass: those that ask a human, or that take a place in a limit. Gates see the
// final arguments, and nothing rewrites after them.
type Gate interface {
	Handler
	Gates() bool
}

// Committer is implemented by gates whose consent counts once. An answer that
// names an Approval is committed after all gates have answered, with the call as
// it will run; an error denies. In a rehearsal nothing is committed.
type Committer interface {
	Gate
	Commit(ctx context.Context, ev *Event, a *Answer) error
}

// Early is implemented by handlers whose facts are for the guards, or that
// must run once and in order: they run with the transforms, one after another
// and before any guard is asked, whatever their authority.
type Early interface {
	Handler
	Early() bool
}

// Nested is implemented by handlers that a sub-agent may have in addition to
// its parent's of the same id. Both run, the parent's first.
type Nested interface {
	Handler
	Nests() bool
}

// Explainer is implemented by handlers that can say in a few words what they
// would do, for listings.
type Explainer interface {
	Handler
	Explain() string
}
