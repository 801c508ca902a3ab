package host

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/trammel-dev/trammel"
)

// Speak answers a call and ends the process with the reply. There is exactly
// one reply, also if the answer and the deadline come at the same moment.
func (p *Program) Speak(call Call, stdout, stderr io.Writer, exit func(int)) {
	var once sync.Once
	say := func(r trammel.Reply) {
		once.Do(func() {
			if len(r.Stderr) > 0 {
				stderr.Write(r.Stderr)
			}
			if len(r.Stdout) > 0 {
				if _, err := stdout.Write(r.Stdout); err != nil {
					r.Exit = 2 // what the host did not get may have been a denial
				}
			}
			exit(r.Exit)
		})
	}
	p.Expire = say
	p.Interrupts = func(ctx context.Context) (context.Context, context.CancelFunc) {
		return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	}
	say(p.Answer(context.Background(), call))
}
