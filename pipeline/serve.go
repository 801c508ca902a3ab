package pipeline

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Serve answers one call with the stdin, stdout and exit code of this process,
// whatever happens, and then exits. build builds the program called name.
func Serve(name string, call Call, build func() (*Program, error)) {
	out := &Responder{Stdout: os.Stdout, Stderr: os.Stderr, Exit: os.Exit}
	call.Stdin, call.Getenv = os.Stdin, os.Getenv
	call.Dir, _ = os.Getwd()
	call.Account = fmt.Sprintf("os:%d", os.Getuid())
	dog := Watch(func() (trammel.Reply, func()) {
		text := name + " did not finish; the event is blocked where that is possible\n"
		return trammel.Reply{Exit: 2, Stderr: []byte(text)}, func() { hung(call) }
	}, out.sendThen)
	p, err := build()
	if err != nil {
		out.Send(trammel.Reply{Exit: 2, Stderr: fmt.Appendf(nil, "%s: %v\n", name, err)})
		return
	}
	parent := os.Getppid() // changes if our parent is killed
	p.Watchdog, p.Interrupts, p.Gone = dog, Interrupts, func() bool { return os.Getppid() != parent }
	out.Send(p.Answer(context.Background(), call))
}

// hung leaves a note about a process that hung before it handled its call.
func hung(call Call) {
	dirs, err := layers.System()
	if err != nil {
		return
	}
	kind, _ := trammel.ParseKind(call.Event)
	leaveNote(dirs, &unanswered{Event: &trammel.Event{Time: time.Now(), Host: call.Host, Kind: kind, Name: call.Event},
		Dirs:   []string{call.Dir},
		Denied: true, Failure: &trammel.Failure{Code: trammel.CodeTimeout, Detail: "the program hung before it read the event"}})
}

// Responder sends the only reply of a process and exits, even if the answer and
// the watchdog come at the same moment.
type Responder struct {
	Stdout, Stderr io.Writer
	Exit           func(int)
	once           sync.Once
}

// Send writes the reply and ends the process.
func (s *Responder) Send(r trammel.Reply) { s.sendThen(r, nil) }

// afterwards is how long a hung process may take to leave a note.
const afterwards = 100 * time.Millisecond

// sendThen writes the reply, gives the function then a moment, and exits.
func (s *Responder) sendThen(r trammel.Reply, then func()) {
	s.once.Do(func() {
		if len(r.Stderr) > 0 {
			s.Stderr.Write(r.Stderr)
		}
		if len(r.Stdout) > 0 {
			if _, err := s.Stdout.Write(r.Stdout); err != nil {
				r.Exit = 2 // the lost reply may have been a denial
			}
		}
		if then != nil {
			done := make(chan struct{})
			go func() { defer close(done); then() }()
			select {
			case <-done:
			case <-time.After(afterwards):
			}
		}
		s.Exit(r.Exit)
	})
}

// Interrupts ends a context when the process is told to stop.
func Interrupts(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}
