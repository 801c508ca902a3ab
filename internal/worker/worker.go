// Package worker runs a program that answers lines: one line in, one line out.
// The program is supervised: it has a deadline for every answer, bounds on its
// memory and on the length of its lines, and a process group of its own that is
// killed as a whole.
//
// No answer is ever taken for another call. Silence now does not prove silence
// later, so a program serves a second call in the same life only if its answers
// name the call that they belong to. Any other program gets a life for each
// call, and its answer is taken once it has ended, without another word.
//
// Every failure is one of the errors below.
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
	ErrLingers  = errors.New("the program did not end after its input ended")
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
	// grace is how long a program may take to end when nothing depends on it.
	grace = 250 * time.Millisecond
	// settling is how long a program that closed its output may take to end,
	// before it counts as one that goes on without an output.
	settling = 500 * time.Millisecond
)

// Worker is a program that is started when it is first called. It is safe for
// concurrent use; calls wait for each other.
type Worker struct {
	command Command
	start   func(*Command) (*run, error)
	mu      sync.Mutex
	run     *run // nil while nothing runs
	starts  int
	more    bool // a program wrote more than it was asked for, after its answer had been taken
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
	return &Worker{command: c, start: start}
}

// Call sends a line, which ends with a newline and has no other, and returns
// the program's without its end. mine reports whether an answer names this
// call. Only then the program is kept for the next one.
//
// What comes out does not depend on the calls before: a program that has served
// others, and does anything with this call but answer it in time, is killed,
// and a new one gets the call.
func (w *Worker) Call(ctx context.Context, line []byte, mine func(answer []byte) bool) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() != nil {
		return nil, ended(ctx)
	}
	if w.run != nil && w.run.spoke() {
		w.more = true
		w.drop()
	}
	stray := false // something came that was not for this call
	if w.run != nil {
		answer, err := w.send(ctx, line, false)
		if err == nil && mine(answer) {
			return answer, nil
		}
		stray = err == nil || errors.Is(err, ErrMore) || errors.Is(err, ErrCutOff)
		w.drop()
		if ctx.Err() != nil {
			return nil, ended(ctx)
		}
	}
	answer, err := w.first(ctx, line, mine)
	w.more = w.more || stray && w.run != nil // by itself, the program answers as it should
	return answer, err
}

// first makes the first call in a new life.
func (w *Worker) first(ctx context.Context, line []byte, mine func([]byte) bool) ([]byte, error) {
	if err := w.begin(); err != nil {
		return nil, err
	}
	answer, err := w.send(ctx, line, mine == nil)
	switch {
	case err == nil && mine != nil && mine(answer):
		return answer, nil
	case err == nil:
		w.run.process.Stdin.Close()
		err = w.run.last(ctx)
	}
	w.drop()
	if err != nil && !errors.Is(err, ErrMore) {
		answer = nil
	}
	return answer, err
}

// Last makes one call in a life of its own, whose input ends with the line. So
// a program that answers only then does answer, and whatever it writes beyond
// the answer is seen, and how it ends.
func (w *Worker) Last(ctx context.Context, line []byte) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.end(); err != nil {
		w.more = true
	}
	if ctx.Err() != nil {
		return nil, ended(ctx)
	}
	return w.first(ctx, line, nil)
}

// Talk sends a line of one conversation, in which answers build on each other,
// and returns the next. It all happens in one life: once that has failed, the
// conversation is over, and the next line would begin another.
func (w *Worker) Talk(ctx context.Context, line []byte) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return nil, ended(ctx)
	case w.run == nil:
		if err := w.begin(); err != nil {
			return nil, err
		}
	case w.run.spoke():
		w.drop()
		return nil, ErrUnasked
	}
	answer, err := w.send(ctx, line, false)
	if err != nil {
		w.drop()
	}
	return answer, err
}

func (w *Worker) begin() (err error) {
	if w.run, err = w.start(&w.command); err == nil {
		w.starts++
	}
	return err
}

func (w *Worker) send(ctx context.Context, line []byte, last bool) ([]byte, error) {
	if w.run.called { // what it said while it started belongs to the first call
		w.run.stderr.reset()
	}
	w.run.called = true
	answer, err := w.run.call(ctx, line, last)
	w.stderr = w.run.stderr.text()
	return answer, err
}

// Close ends the program: first its input, then, if that does not move it, the
// whole group. It returns ErrMore if a program had written more than it was
// asked for and no call has failed for it.
func (w *Worker) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.end()
	if w.more {
		err, w.more = ErrMore, false
	}
	return err
}

func (w *Worker) end() error {
	if w.run == nil {
		return nil
	}
	w.run.process.Stdin.Close()
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	err := w.run.last(ctx)
	w.drop()
	if errors.Is(err, ErrMore) {
		return err
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
