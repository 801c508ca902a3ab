package conformance

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/procgroup"
)

// Adapter is what is tested.
type Adapter struct {
	name string
	host string
	ours bool
	argv func(b *box, event string) []string
}

// Host is one of our own dialects, run as the host would run it: program is
// the trammel-hook, with the trammel beside it.
func Host(name, program string) Adapter {
	return Adapter{name: name, host: name, ours: true, argv: func(b *box, event string) []string {
		return append(append([]string{program}, b.flags()...), name, event)
	}}
}

// Command is somebody else's adapter: a command line for sh. It gets the
// payload of the given host on stdin ("" is our native JSON), runs in the
// workspace, and is told by variables
//
//	TRAMMEL_CONFORMANCE_EVENT      the event, by its name in our catalogue
//	TRAMMEL_CONFORMANCE_POLICY     the file with the policy; empty if there is none
//	TRAMMEL_CONFORMANCE_TELEMETRY  the file to which it appends what it has seen
//	TRAMMEL_CONFORMANCE_FLAGS      what trammel-hook has to be started with, if it is, to use the workspace's directories
//
// The last takes one JSON object per line, with at least event, session.id, and
// action.kind and verdict.decision where there are any. An adapter that has
// trammel judge need not write it: our evidence is read, too.
func Command(line, host string) Adapter {
	host = cmp.Or(host, "native")
	return Adapter{name: line, host: host, argv: func(*box, string) []string { return []string{"sh", "-c", line} }}
}

// maxOutput is what is taken of each stream of an adapter.
const maxOutput = 4 << 20

// run starts the adapter once.
func (a *Adapter) run(ctx context.Context, b *box, f *Fixture, event string, stdin []byte) (trammel.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, f.limit())
	defer cancel()
	env := b.env()
	if !a.ours {
		env = append(env, "TRAMMEL_CONFORMANCE_EVENT="+f.Event, "TRAMMEL_CONFORMANCE_POLICY="+b.policy,
			"TRAMMEL_CONFORMANCE_TELEMETRY="+b.telemetry(), "TRAMMEL_CONFORMANCE_FLAGS="+strings.Join(b.flags(), " "))
	}
	out, err := procgroup.Run(ctx, procgroup.Command{Args: a.argv(b, event), Env: env, Dir: b.project(), Stdin: stdin, MaxOutput: maxOutput})
	switch {
	case err != nil:
		return trammel.Reply{}, err
	case out.Signal != "":
		return trammel.Reply{}, fmt.Errorf("it was ended by signal %s", out.Signal)
	case out.TruncatedOut || out.TruncatedErr:
		return trammel.Reply{}, fmt.Errorf("it wrote more than %d bytes", maxOutput)
	}
	return trammel.Reply{Stdout: out.Stdout, Stderr: out.Stderr, Exit: out.Exit}, nil
}
