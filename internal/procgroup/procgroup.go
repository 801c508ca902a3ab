// Package procgroup runs a program in a group of its own, so that it and what
// it started can be ended together. Its output is capped, it inherits no
// descriptors but its own three, and nothing of the run is left behind: no
// process of the group, no goroutine (DA-22).
package procgroup

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/trammel-dev/trammel"
)

// drain is how long to wait for output after the program has ended. It matters
// only if the program left something running with its output open.
const drain = 100 * time.Millisecond

// Flood is how much a program may print on stdout or on stderr, stored or not.
// A program that prints more is killed.
const Flood = 256 << 20

// Command says what to run.
type Command struct {
	Args  []string // the program, as a path or as a name to be found in PATH, and its arguments
	Line  string   // Windows: the exact command line, if arguments cannot express it
	Env   []string // the whole environment
	Dir   string
	Stdin []byte
	// MaxOutput caps what is kept of stdout and of stderr, in bytes each. The
	// rest is read and dropped, so that the program is not stuck, up to Flood.
	MaxOutput int
	// Exact is true if more than MaxOutput on stdout makes all of it useless:
	// then the program is killed at once.
	Exact bool
	// Tied is true to have the whole group end with us, however we end. Without
	// it only the program itself does, and only on Linux. A process that makes
	// its own group or session escapes.
	Tied bool
	// Tail is true to keep the end instead of the beginning, and stderr with
	// stdout, in the order in which they come.
	Tail bool
}

// Result is how a run ended.
type Result struct {
	Started bool
	Exit    int    // the exit code, -1 if there is none
	Signal  string // the signal that ended it, if one did
	Stdout  []byte
	Stderr  []byte
	// TruncatedOut and TruncatedErr say that there was more output than was kept.
	TruncatedOut bool
	TruncatedErr bool
}

// Run runs the command to its end and returns what it said. When ctx is done,
// the whole group is killed. It returns as soon as the program has ended and
// its output is drained; whatever the program left running in its group is
// killed then. A program that is still held open by something that has left
// the group delays the return by a tenth of a second, no more.
//
// The error is a Failure: CodeUnavailable if the program could not be
// started, CodeTimeout or CodeCanceled if ctx ended it, CodeOversized if it was
// ended for printing too much. How the program itself ended, badly or well, is in the result and is not an error.
func Run(ctx context.Context, c Command) (Result, error) {
	stdout, stderr := capped{limit: c.MaxOutput, tail: c.Tail}, capped{limit: c.MaxOutput}
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Env, cmd.Dir = c.Env, c.Dir
	if cmd.Env == nil {
		cmd.Env = []string{} // nil would mean all of ours
	}
	cmd.Stdin = bytes.NewReader(c.Stdin)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if c.Tail {
		cmd.Stderr = &stdout
	}
	cmd.WaitDelay = drain

	group, err := newGroup(cmd, c.Line)
	if err != nil {
		return Result{Exit: -1}, trammel.Fail(trammel.CodeUnavailable, "cannot prepare a process group for %s: %w", c.Args[0], err)
	}
	defer group.close()
	var killed, flooded atomic.Bool
	stop := func() {
		if !flooded.Swap(true) {
			group.kill()
		}
	}
	stdout.stop, stderr.stop, stdout.exact = stop, stop, c.Exact
	cmd.Cancel = func() error {
		killed.Store(true)
		return group.kill()
	}
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return Result{Exit: -1}, ended(ctx, c.Args[0])
		}
		return Result{Exit: -1}, trammel.Fail(trammel.CodeUnavailable, "cannot start %s: %w", c.Args[0], err)
	}
	if err := group.started(); err != nil {
		group.kill()
		cmd.Wait()
		return Result{Started: true, Exit: -1}, trammel.Fail(trammel.CodeUnavailable, "cannot put %s into its process group: %w", c.Args[0], err)
	}
	untie := func() {}
	if c.Tied {
		untie = group.tie()
	}
	err = cmd.Wait()
	group.kill() // what the program left running
	untie()

	r := Result{
		Started: true, Exit: cmd.ProcessState.ExitCode(), Signal: signalOf(cmd.ProcessState),
		Stdout: stdout.kept, TruncatedOut: stdout.more,
		Stderr: stderr.kept, TruncatedErr: stderr.more,
	}
	var exit *exec.ExitError
	switch {
	case flooded.Load() && !cmd.ProcessState.Success():
		most := Flood
		if c.Exact && stdout.more {
			most = c.MaxOutput
		}
		return r, trammel.Fail(trammel.CodeOversized, "the program printed more than %d bytes, and was killed", most)
	case killed.Load() && !cmd.ProcessState.Success():
		return r, ended(ctx, c.Args[0])
	case err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) && ctx.Err() == nil:
		return r, trammel.Fail(trammel.CodeUnavailable, "lost touch with %s: %w", c.Args[0], err)
	}
	return r, nil
}

// ended says that ctx ended the run. The context's own error is not wrapped:
// the engine would treat it as a failure without a trace.
func ended(ctx context.Context, path string) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return trammel.Fail(trammel.CodeCanceled, "%s was canceled", path)
	}
	return trammel.Fail(trammel.CodeTimeout, "%s did not end in time and was killed", path)
}

// capped keeps the beginning of what is written to it, or the end.
type capped struct {
	kept  []byte
	limit int
	tail  bool
	more  bool
	total int
	exact bool // nothing beyond the limit is wanted
	stop  func()
}

func (c *capped) Write(p []byte) (int, error) {
	if c.total += len(p); c.total > Flood || c.exact && c.total > c.limit {
		c.stop()
	}
	if c.tail {
		c.kept = append(c.kept, p...)
		if over := len(c.kept) - c.limit; over > 0 {
			c.kept, c.more = append(c.kept[:0], c.kept[over:]...), true
		}
		return len(p), nil
	}
	room := min(c.limit-len(c.kept), len(p))
	c.kept = append(c.kept, p[:room]...)
	c.more = c.more || room < len(p)
	return len(p), nil
}
