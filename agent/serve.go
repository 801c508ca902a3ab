package agent

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
)

// MaxLine is the longest line that is taken, queue how many lines are read
// ahead. Beyond that the other side waits.
const (
	MaxLine = 4 << 20
	queue   = 16
)

// Serve speaks the protocol until in ends, ctx is done or out is closed; a
// session that is open then is stopped like any other. It answers lines one
// after another, in their order; a line that cannot be read is answered with
// an error and changes nothing.
//
// One goroutine may stay in a Read of in after Serve has returned, until that
// ends.
func (r *Runtime) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := &connection{runtime: r, out: out, lines: make(chan line, queue), done: ctx.Done()}
	go c.read(in)
	err := c.answer(ctx)
	if stop := c.stop(ctx); err == nil {
		err = stop
	}
	return err
}

type connection struct {
	runtime *Runtime
	session *Session
	ended   bool // there was a session before
	out     io.Writer
	lines   chan line
	done    <-chan struct{}

	mu       sync.Mutex
	running  string             // the id of the action that is being carried out
	cancel   context.CancelFunc // of it
	canceled map[string]bool    // ids of actions that are still in the queue
}

// line is a message, or the error that ended the input.
type line struct {
	message
	err error
}

// answer answers lines until there are no more.
func (c *connection) answer(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case l, more := <-c.lines:
			if !more {
				return nil
			}
			if err := c.take(ctx, l); err != nil {
				return err
			}
		}
	}
}

// take answers one line. An error means that nothing reads stdout anymore.
func (c *connection) take(ctx context.Context, l line) error {
	if l.err != nil {
		return c.say(failure(l.id, l.err))
	}
	switch l.kind {
	case "session_start":
		if c.session != nil {
			return c.say(failure(l.id, trammel.Fail(trammel.CodeInput, "session %s is still open", c.session.ID)))
		}
		return c.start(ctx, l.session)
	case "session_stop":
		if c.session == nil {
			return c.say(failure(l.id, c.none()))
		}
		return c.stop(ctx)
	case "prompt":
		if c.session == nil {
			if err := c.start(ctx, ""); err != nil {
				return err
			}
		}
		return c.prompt(ctx, l.message)
	}
	if c.session == nil {
		return c.say(failure(l.id, c.none()))
	}
	return c.act(ctx, l.message)
}

// none says why there is no session.
func (c *connection) none() error {
	if c.ended {
		return ErrStopped
	}
	return ErrNoSession
}

func (c *connection) start(ctx context.Context, id string) error {
	s, err := c.runtime.Start(ctx, id)
	if err != nil {
		return c.say(failure("", err))
	}
	c.session = s
	return c.say(sessionLine{"session", Protocol, s.ID, s.StartedAt.Format(time.RFC3339)})
}

func (c *connection) prompt(ctx context.Context, m message) error {
	turn, err := c.session.Prompt(ctx, m.text, m.files)
	if err != nil {
		return c.say(failure(m.id, err))
	}
	if err := c.say(turn.Control); err != nil || !turn.Ready {
		return err
	}
	return c.say(turnLine{"turn_context", turn.Number, turn.Context})
}

func (c *connection) act(ctx context.Context, m message) error {
	ctx, finished := c.cancelable(ctx, m.id)
	defer finished()
	reply := resultLine{Type: "result", ID: m.id, Action: m.action}
	err := ctx.Err()
	if err == nil {
		switch m.action {
		case ListAbilities:
			reply.Abilities, err = c.session.Abilities()
		case CreateTask:
			reply.Result, err = c.session.Create(ctx, m.ability, m.input)
		case UpdateTask:
			reply.Result, err = c.session.Update(ctx, m.key, m.input)
		case RunTask:
			reply.Result, err = c.session.Run(ctx, m.key)
		}
	}
	switch {
	case errors.Is(err, context.Canceled):
		return c.say(errorLine{"error", m.id, string(trammel.CodeCanceled), "the action was canceled"})
	case err != nil:
		return c.say(failure(m.id, err))
	}
	return c.say(reply)
}

// cancelable lets a cancel line with this id end the action, also one that
// overtook it.
func (c *connection) cancelable(ctx context.Context, id string) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running, c.cancel = id, cancel
	if id != "" && c.canceled[id] {
		delete(c.canceled, id)
		cancel()
	}
	return ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.running, c.cancel = "", nil
		cancel()
	}
}

// abort is a cancel line. It is acted on as soon as it is read, whatever is
// still waiting before it.
func (c *connection) abort(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case id == "":
	case c.running == id:
		c.cancel()
	case len(c.canceled) < queue:
		if c.canceled == nil {
			c.canceled = map[string]bool{}
		}
		c.canceled[id] = true
	}
}

// stop ends the session, if one is open, also when everything else is being
// given up.
func (c *connection) stop(ctx context.Context) error {
	if c.session == nil {
		return nil
	}
	const grace = 10 * time.Minute // a build check takes its time; it has bounds of its own
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	summary, err := c.session.Stop(ctx)
	c.session, c.ended = nil, true
	if err != nil {
		return c.say(failure("", err))
	}
	return c.say(stoppedLine{"session_stopped", summary})
}

func (c *connection) say(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	if _, err := c.out.Write(b.Bytes()); err != nil {
		return fmt.Errorf("nothing reads stdout anymore: %w", err)
	}
	return nil
}

// read reads lines until in ends.
func (c *connection) read(in io.Reader) {
	defer close(c.lines)
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		data, err := readLine(r)
		l := line{err: err}
		switch {
		case errors.Is(err, io.EOF) && len(bytes.TrimSpace(data)) == 0:
			return
		case errors.Is(err, io.EOF):
			l.err = trammel.Fail(trammel.CodeInput, "the last line is cut off")
		case err == nil && len(bytes.TrimSpace(data)) == 0:
			continue
		case err == nil:
			if l.message, l.err = read(data); l.err == nil && l.kind == "cancel" {
				c.abort(l.id)
				continue
			}
		}
		select {
		case c.lines <- l:
		case <-c.done:
			return
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return
		}
	}
}

var errTooLong = trammel.Fail(trammel.CodeTooLarge, "the line has more than %d bytes", MaxLine)

// readLine reads one line; the rest of one that is too long is dropped.
func readLine(r *bufio.Reader) ([]byte, error) {
	var data []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(data)+len(part) > MaxLine; !long {
			data = append(data, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil && long:
			return nil, errTooLong
		case err != nil && !errors.Is(err, io.EOF):
			return nil, trammel.Fail(trammel.CodeInput, "reading a line: %w", err)
		}
		return data, err
	}
}
