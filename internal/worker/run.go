package worker

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/internal/procgroup"
)

// run is one life of the program.
type run struct {
	process *process
	lines   chan line // closed by the reader after the last one
	stop    chan struct{}
	stderr  tail
	called  bool
	readers sync.WaitGroup
}

// process is a program that runs: its pipes, and its life.
type process struct {
	Stdin, Stdout, Stderr *os.File
	life
}

type life interface {
	Kill()
	Ended() <-chan struct{}
	Exit() (code int, signal string)
	Close()
}

// line is something that came from the program: a whole line, or the end.
type line struct {
	text []byte
	more bool  // something came with it
	err  error // ErrTooLong, ErrCutOff, or io.EOF
}

func start(c *Command) (*run, error) {
	p, err := procgroup.Start(procgroup.Command{Args: c.Args, Env: c.Env, Dir: c.Dir}, c.Memory)
	if err != nil {
		return nil, startError(err)
	}
	return follow(&process{p.Stdin, p.Stdout, p.Stderr, p}, c.MaxLine), nil
}

// follow reads what a program says.
func follow(p *process, most int) *run {
	r := &run{process: p, lines: make(chan line, 1), stop: make(chan struct{})}
	r.readers.Go(func() { r.read(most) })
	r.readers.Go(func() { r.stderr.from(p.Stderr) })
	return r
}

// read passes on what the program writes. It reads on only when somebody has
// taken what it has, so that a flood stays in the pipe.
func (r *run) read(most int) {
	defer close(r.lines)
	in := bufio.NewReaderSize(r.process.Stdout, 64<<10)
	for {
		l := next(in, most)
		select {
		case r.lines <- l:
		case <-r.stop:
			return
		}
		if l.err != nil {
			return
		}
	}
}

// next reads one line of at most so many bytes.
func next(in *bufio.Reader, most int) line {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(text)+len(part) > most+1 {
			return line{err: ErrTooLong}
		}
		text = append(text, part...)
		switch {
		case err == nil:
			return line{text: text[:len(text)-1], more: in.Buffered() > 0}
		case errors.Is(err, bufio.ErrBufferFull):
		case len(text) > 0:
			return line{err: ErrCutOff}
		default:
			return line{err: io.EOF}
		}
	}
}

// spoke reports whether the program has written without being asked. That it
// has ended is no such thing.
func (r *run) spoke() bool {
	select {
	case l, open := <-r.lines:
		if open && l.err == nil {
			return true
		}
		return open && l.err != io.EOF
	default:
		return false
	}
}

// call sends a line, as the last one or not, and waits for the answer. When it
// fails, the run is of no use any more.
func (r *run) call(ctx context.Context, text []byte, last bool) ([]byte, error) {
	// Killing the group and closing our end lets a write return that nobody reads.
	defer context.AfterFunc(ctx, func() {
		r.process.Kill()
		r.process.Stdin.Close()
	})()
	r.process.Stdin.Write(text) // if it fails, how the program ended says more
	if last {
		r.process.Stdin.Close()
	}
	select {
	case l, open := <-r.lines:
		switch {
		case ctx.Err() != nil:
			return nil, ended(ctx)
		case !open || l.err == io.EOF:
			return nil, r.silent(ctx)
		case l.err != nil:
			return nil, l.err
		}
		if l.more || r.spoke() {
			return l.text, ErrMore
		}
		return l.text, nil
	case <-ctx.Done():
		return nil, ended(ctx)
	}
}

// silent says why there is no output any more: the program has ended, or it
// has closed its output and goes on.
func (r *run) silent(ctx context.Context) error {
	timer := time.NewTimer(settling)
	defer timer.Stop()
	select {
	case <-r.process.Ended():
	case <-timer.C:
	case <-ctx.Done():
	}
	select { // both may have happened meanwhile
	case <-r.process.Ended():
		if ctx.Err() == nil { // otherwise we have killed it
			return r.exit()
		}
	default:
	}
	return ErrClosed
}

// exit says how the program ended.
func (r *run) exit() error {
	switch code, signal := r.process.Exit(); {
	case signal != "":
		return ErrSignal
	case code != 0:
		return ErrFailed
	}
	return ErrExit
}

// last waits for the end of a program whose input has ended, and reports what
// else it did: it wrote more, it failed, or it went on.
func (r *run) last(ctx context.Context) error {
	select {
	case l, open := <-r.lines:
		if open && l.err != io.EOF {
			return ErrMore
		}
		select {
		case <-r.process.Ended():
		case <-ctx.Done():
			return lingers(ctx)
		}
	case <-r.process.Ended():
		// What it wrote is in the pipe. Who has left the group may hold that open.
		timer := time.NewTimer(settling)
		defer timer.Stop()
		select {
		case l, open := <-r.lines:
			if open && l.err != io.EOF {
				return ErrMore
			}
		case <-timer.C:
		}
	case <-ctx.Done():
		return lingers(ctx)
	}
	if err := r.exit(); err != ErrExit {
		return err
	}
	return nil
}

func lingers(ctx context.Context) error {
	if err := ended(ctx); err != ErrTimeout {
		return err
	}
	return ErrLingers
}

// close kills the group and waits for the readers, which end with the pipes.
// What the program has said is still in them, so they are read to the end; who
// has left the group and holds one open is not waited for.
func (r *run) close() {
	close(r.stop)
	r.process.Kill()
	<-r.process.Ended()
	read := make(chan struct{})
	go func() {
		r.readers.Wait()
		close(read)
	}()
	timer := time.NewTimer(settling)
	defer timer.Stop()
	select {
	case <-read:
	case <-timer.C:
	}
	r.process.Close()
	<-read
}
