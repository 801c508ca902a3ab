// Package worker keeps a program running that answers lines: one line in, one
// line out, in order. The program is supervised: it has a deadline for every
// answer, bounds on its memory and on the length of its lines, and a process
// group of its own that is killed as a whole. After a failure the next call
// starts it again.
//
// Every way to fail is one of the errors below, and the same each time.
package worker

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/internal/procgroup"
)

// What can go wrong with a program. Whatever it wrote is dropped then, with
// one exception: beside ErrMore the first line is returned, because a reader
// may know better what is wrong with it.
var (
	ErrTimeout  = errors.New("no answer in time")
	ErrCanceled = errors.New("canceled")
	ErrNotFound = errors.New("the program was not found")
	ErrStart    = errors.New("the program cannot be started")
	ErrExit     = errors.New("the program ended without an answer")
	ErrFailed   = errors.New("the program ended with an error code")
	ErrSignal   = errors.New("the program was ended by a signal")
	ErrCutOff   = errors.New("the answer is cut off")
	ErrClosed   = errors.New("the program closed its output")
	ErrTooLong  = errors.New("the answer is too long")
	ErrMore     = errors.New("the program wrote more than its answer")
	ErrUnasked  = errors.New("the program wrote before it was called")
)

// Command is the program.
type Command struct {
	Args []string // a path, or a name to be found in PATH, and its arguments
	Env  []string // the whole environment
	Dir  string
	// MaxLine bounds an answer, Memory the data of each process; 0 takes the
	// defaults.
	MaxLine int
	Memory  int64
}

// The defaults of a Command.
const (
	DefaultMaxLine = 4 << 20
	DefaultMemory  = 512 << 20
)

const (
	// grace is how long a program may take to end after its input has.
	grace = 250 * time.Millisecond
	// settling is how long a program that closed its output may take to end,
	// before it counts as one that goes on without an output.
	settling = 500 * time.Millisecond
)

// Worker is a program that is started when it is first called. It is safe for
// concurrent use; calls wait for each other.
type Worker struct {
	command Command
	mu      sync.Mutex
	run     *run // nil while nothing runs
	starts  int
	stderr  string
}

// New returns a worker. Nothing is started yet.
func New(c Command) *Worker {
	if c.MaxLine <= 0 {
		c.MaxLine = DefaultMaxLine
	}
	if c.Memory <= 0 {
		c.Memory = DefaultMemory
	}
	return &Worker{command: c}
}

// Call sends a line, which ends with a newline and has no other, and returns
// the program's without its end. If the program ends on a call that is not its
// first, the call is made once more with a new one: how it comes out must not
// depend on the calls before it.
func (w *Worker) Call(ctx context.Context, line []byte) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.call(ctx, line, false)
}

// Last is Call for a program that is not needed any more: its input ends with
// the line. So a program that answers only then does answer, and whatever it
// writes beyond the answer is seen for certain.
func (w *Worker) Last(ctx context.Context, line []byte) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	answer, err := w.call(ctx, line, true)
	if more := w.end(); err == nil {
		err = more
	}
	return answer, err
}

func (w *Worker) call(ctx context.Context, line []byte, last bool) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, ended(ctx)
	}
	if w.run != nil && w.run.spoke() {
		w.drop()
		return nil, ErrUnasked
	}
	for {
		if w.run == nil {
			run, err := start(&w.command)
			if err != nil {
				return nil, err
			}
			w.run = run
			w.starts++
		}
		w.run.stderr.reset()
		answer, err := w.run.call(ctx, line, last)
		w.stderr = w.run.stderr.text()
		if err == nil {
			return answer, nil
		}
		answered := w.run.answers > 0
		w.drop()
		if answered && (errors.Is(err, ErrExit) || errors.Is(err, ErrFailed) || errors.Is(err, ErrSignal)) {
			continue // it may have ended for what came before; this call gets a life of its own
		}
		return answer, err
	}
}

// Close ends the program: first its input, then, if that does not move it, the
// whole group. It returns ErrMore if the program had written more than it was
// asked for.
func (w *Worker) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.end()
}

func (w *Worker) end() error {
	if w.run == nil {
		return nil
	}
	w.run.process.Stdin.Close()
	more := w.run.finish()
	w.drop()
	if more {
		return ErrMore
	}
	return nil
}

// drop kills what runs, and waits until nothing of it is left.
func (w *Worker) drop() {
	w.run.close()
	w.stderr = w.run.stderr.text()
	w.run = nil
}

// Stderr is the end of what the program said on stderr since the last call
// began, without the secrets in it.
func (w *Worker) Stderr() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stderr
}

// Alive reports whether the program is running, as far as is known.
func (w *Worker) Alive() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.run != nil
}

// Starts counts how often the program was started.
func (w *Worker) Starts() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.starts
}

func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ErrCanceled
	}
	return ErrTimeout
}

func startError(err error) error {
	if errors.Is(err, procgroup.ErrNotFound) {
		return ErrNotFound
	}
	return ErrStart
}
