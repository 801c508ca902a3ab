package trammel

import (
	"fmt"
	"time"
)

// Hook is a declaration: on which events, when it matches, which handler
// answers, what it may do, what happens when it fails.
type Hook struct {
	ID      string
	On      []Kind
	Match   Match
	Handler Handler
	// Kind names the sort of handler (rule, builtin, command, …) in evidence.
	Kind string
	// May is what the hook may do at most. It has to be set.
	May Authority
	// NoRewrite is true for hooks that never rewrite, whatever May says. It lets a
	// plan leave out hooks that the event as it stands cannot touch; an answer
	// that rewrites all the same is beyond the hook's authority.
	NoRewrite bool
	// Trial is true for hooks that are being tried out: what they say is
	// recorded as what they would have done, and has no effect; nor has their
	// failure.
	Trial bool
	// Yields is true if a person may overrule the hook for one call (TEAM-26).
	Yields bool
	// Except are where its objections do not count.
	Except []Exception
	// Ceiling is what the hook's dialect permits on a kind of event. Nil permits all.
	Ceiling func(Kind) Authority
	// FailsClosed says on which kinds of events the hook's dialect wants its
	// failures to deny, whatever OnError says. Nil is none. It is not asked
	// about hooks that may neither rewrite nor guard.
	FailsClosed func(Kind) bool
	// Priority orders hooks of one phase: lower first, ties in declaration order.
	Priority int
	// Timeout bounds one run. Zero means DefaultTimeout.
	Timeout time.Duration
	OnError OnError
	Source  Source
	// Digest is of the declaration, for hooks that ask something outside: what
	// they said can be used again only as long as they are the same. "" for others.
	Digest string
}

// DefaultTimeout limits a hook that declares no timeout (DA-22).
const DefaultTimeout = 60 * time.Second

// Source is where a hook was declared.
type Source struct {
	Layer string `json:"layer"` // machine, user, project, or what an embedder calls it
	File  string `json:"file"`
	Line  int    `json:"line"`
	// Untrusted is true for what a project declares and no person has trusted. What
	// such a hook says is quoted, with its place.
	Untrusted bool `json:"untrusted,omitempty"`
}

func (s Source) String() string {
	if s.File == "" {
		return s.Layer
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// OnError says what a failure of a hook means for the event.
type OnError uint8

const (
	// DefaultOnError blocks for hooks that may guard, and warns for the
	// others. On events whose block means "go on" (stop) it warns: the agent
	// cannot fix a broken hook by going on.
	DefaultOnError OnError = iota
	// BlockOnError denies the event.
	BlockOnError
	// WarnOnError tells the person, and the event proceeds.
	WarnOnError
	// IgnoreOnError only records it.
	IgnoreOnError
)

// authorityOn is the hook's effective authority on a kind of event.
func (h *Hook) authorityOn(kind Kind) Authority {
	a := h.May
	if h.Ceiling != nil {
		a = min(a, h.Ceiling(kind))
	}
	return a
}

// onErrorFor resolves the default for a kind of event.
func (h *Hook) onErrorFor(kind Kind) OnError {
	can := kind.Can()
	switch {
	case h.Trial:
		return IgnoreOnError
	case h.FailsClosed != nil && h.May >= Rewrite && h.FailsClosed(kind):
		return BlockOnError
	case h.OnError == BlockOnError && !can.Any(Block|Continue):
		return WarnOnError
	case h.OnError != DefaultOnError:
		return h.OnError
	case h.May >= Guard && can.Any(Block) && !can.Any(Continue):
		return BlockOnError
	}
	return WarnOnError
}

func (h *Hook) check() error {
	switch {
	case h.ID == "":
		return fmt.Errorf("a hook has no id")
	case len(h.On) == 0:
		return fmt.Errorf("hook %q: no events in On", h.ID)
	case h.Handler == nil:
		return fmt.Errorf("hook %q: no handler", h.ID)
	case h.May < Observe || h.May > Grant:
		return fmt.Errorf("hook %q: May is not set; say what the hook may do, from Observe to Grant", h.ID)
	case h.Timeout < 0:
		return fmt.Errorf("hook %q: negative timeout %v", h.ID, h.Timeout)
	}
	for _, k := range h.On {
		if int(k) >= len(catalogue) {
			return fmt.Errorf("hook %q: %v is not in the catalogue of events", h.ID, k)
		}
	}
	if h.OnError == BlockOnError {
		for _, k := range h.On {
			if k.Can().Any(Block | Continue) {
				return nil
			}
		}
		return fmt.Errorf("hook %q: on_error is block, but none of its events can be blocked", h.ID)
	}
	return nil
}
