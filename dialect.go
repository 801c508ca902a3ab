package trammel

import "time"

// HostDialect reads and answers the calls of an agent, in the agent's own
// format.
type HostDialect interface {
	// Name is what hosts are called in configuration: "claude-code".
	Name() string

	// DecodeEvent reads what the host sent. name is the event as the wiring
	// named it, or "" if only the payload says it. An event that the catalogue
	// does not know is an Event of kind Other with its name kept. An error
	// means that the payload cannot be judged; the returned event is then not
	// nil but holds at least the kind, as far as it is known, so that the
	// host can be given an answer in the right form.
	DecodeEvent(raw []byte, name string) (*Event, error)

	// EncodeVerdict writes the verdict in a form that this host is known to
	// accept. The verdict has been degraded to what Powers allows. A verdict
	// that denies an event of kind Other must still become the most general
	// block that the host has.
	EncodeVerdict(ev *Event, v *Verdict) Reply

	// Powers says what the host can do with an answer to a kind of event.
	Powers(kind Kind) Powers
}

// HookDialect calls hook programs that were written for another system, in that
// system's format.
type HookDialect interface {
	Name() string

	// EncodeEvent writes the event as that system would have sent it.
	EncodeEvent(ev *Event) ([]byte, error)

	// DecodeAnswer reads what the program answered. An error, best a Failure,
	// means that the hook failed.
	DecodeAnswer(ev *Event, out Output) (Answer, error)

	// Ceiling is what programs of that system may ever do on a kind of event.
	Ceiling(kind Kind) Authority

	// Environ returns variables that programs of that system expect.
	Environ(ev *Event) []string
}

// Powers is what a host can do with an answer, and how long it waits for one.
type Powers struct {
	Can      Capabilities
	Deadline time.Duration
	// Endless is true if the host lets hooks keep the agent from ending
	// forever. Then Trammel sets a limit.
	Endless bool
}

// Reply is what a host gets from a hook process.
type Reply struct {
	Stdout []byte
	Stderr []byte
	Exit   int
}

// Output is what came from a hook program.
type Output struct {
	Stdout []byte
	Stderr []byte
	Exit   int
}
