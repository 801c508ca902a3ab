package pipeline

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/trammel-dev/trammel"
)

// Mouth says the one reply of a process and ends it, also if the answer and
// the watchdog come at the same moment.
type Mouth struct {
	Stdout, Stderr io.Writer
	Exit           func(int)
	once           sync.Once
}

// Say writes the reply and ends the process.
func (m *Mouth) Say(r trammel.Reply) {
	m.once.Do(func() {
		if len(r.Stderr) > 0 {
			m.Stderr.Write(r.Stderr)
		}
		if len(r.Stdout) > 0 {
			if _, err := m.Stdout.Write(r.Stdout); err != nil {
				r.Exit = 2 // what the host did not get may have been a denial
			}
		}
		m.Exit(r.Exit)
	})
}

// Interrupts ends a context when the process is told to end.
func Interrupts(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}
