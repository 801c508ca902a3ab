package host

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/plan"
)

// Answer replies to a host. It returns before the host's deadline: what is not
// done by then is left behind, and the reply says so.
func (p *Program) Answer(ctx context.Context, call Call) trammel.Reply {
	dialect, ok := p.Dialects.Host(call.Host)
	if !ok {
		return trammel.Reply{Exit: 2, Stderr: fmt.Appendf(nil, "trammel: unknown host %q, expected one of %v\n", call.Host, p.Dialects.Hosts())}
	}
	job := &job{Program: p, call: call, dialect: dialect, started: time.Now()}
	job.guess()
	limit := job.deadline() - margin(job.deadline())
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	done := make(chan trammel.Reply, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- job.fail(trammel.Fail(trammel.CodePanic, "trammel itself failed: %v\n%s", r, debug.Stack()))
			}
		}()
		done <- job.run(ctx)
	}()
	// The hooks' own budget ends a little earlier, so that a slow hook is a
	// failure of that hook with a record, and this is the last resort.
	select {
	case reply := <-done:
		return reply
	case <-time.After(limit + margin(job.deadline())/2):
		return failedReply(dialect, job.guessed, trammel.Fail(trammel.CodeTimeout, "no verdict within %v", limit))
	}
}

// job is one call on its way.
type job struct {
	*Program
	call    Call
	dialect trammel.HostDialect
	started time.Time
	// guessed is the event as the wiring names it. It is set before the work
	// begins and never changed, so that the watchdog can read it.
	guessed *trammel.Event
	ev      *trammel.Event
}

// guess tells from the wiring alone what the event is.
func (j *job) guess() {
	ev, _ := j.dialect.DecodeEvent(nil, j.call.Event)
	if ev == nil {
		ev = &trammel.Event{Host: j.dialect.Name(), Name: j.call.Event}
	}
	j.guessed, j.ev = ev, ev
}

func (j *job) deadline() time.Duration {
	if d := j.dialect.Powers(j.guessed.Kind).Deadline; d > 0 {
		return d
	}
	return defaultDeadline
}

func (j *job) run(ctx context.Context) trammel.Reply {
	raw, err := j.read(ctx)
	if err != nil {
		return j.fail(err)
	}
	ev, err := j.dialect.DecodeEvent(raw, j.call.Event)
	if ev != nil {
		j.ev = ev
		ev.Time = j.started
		if ev.Raw == nil {
			ev.Raw = raw
		}
	}
	if err != nil {
		return j.fail(err)
	}
	verdict, err := j.Judge(ctx, ev, j.anchors(ev))
	switch {
	case err != nil && j.HandOff != nil && handsOff(err):
		reply, err := j.HandOff(ctx, j.call, raw)
		if err != nil {
			return j.fail(trammel.Fail(trammel.CodeUnavailable, "%w", err))
		}
		return j.trusted(reply)
	case err != nil:
		return j.fail(err)
	}
	return j.reply(ctx, verdict)
}

// read takes the whole payload, but no more than may be judged, and waits for
// a host that never closes its end only as long as there is time.
func (j *job) read(ctx context.Context) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(j.call.Stdin, maxRead+1))
		done <- result{data, err}
	}()
	wait, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, trammel.Fail(trammel.CodeInput, "reading the payload: %w", r.err)
		}
		return r.data, j.checkSize(len(r.data))
	case <-wait.Done():
		return nil, trammel.Fail(trammel.CodeInput, "the payload did not end: the host keeps stdin open")
	}
}

// checkSize holds a payload against the limit. Settings are looked up only for
// payloads above the default, because that needs the plan before the event is
// known; they come from where the host says its project is.
func (j *job) checkSize(size int) error {
	limit := plan.DefaultSettings().MaxPayload
	if int64(size) > limit {
		if opened, err := j.open(j.anchors(nil)); err == nil {
			limit = opened.plan.Settings.MaxPayload
		}
	}
	if int64(size) > limit {
		return trammel.Fail(trammel.CodeTooLarge, "the payload is larger than %d bytes, so it cannot be judged whole", limit)
	}
	return nil
}

// projector is implemented by dialects whose host tells its hooks where the
// project is. It is more stable than the directory in the payload, which an
// agent can change.
type projector interface {
	ProjectDir(getenv func(string) string) string
}

// anchors are the directories from which project files are looked for.
func (j *job) anchors(ev *trammel.Event) []string {
	var dirs []string
	if d, ok := j.dialect.(projector); ok && j.call.Getenv != nil {
		dirs = append(dirs, d.ProjectDir(j.call.Getenv))
	}
	if ev != nil {
		dirs = append(dirs, ev.Session.Dir)
	}
	return append(dirs, j.call.Dir)
}
