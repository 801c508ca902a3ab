package pipeline

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/plan"
)

// Answer replies to a host. If the host's deadline comes near and there is no
// reply yet, the watchdog speaks, with one that fails closed.
func (p *Program) Answer(ctx context.Context, call Call) (reply trammel.Reply) {
	dialect, ok := p.Dialects.Host(call.Host)
	if !ok {
		return trammel.Reply{Exit: 2, Stderr: fmt.Appendf(nil, "trammel: unknown host %q, expected one of %v\n", call.Host, p.Dialects.Hosts())}
	}
	job := &job{Program: p, call: call, dialect: dialect, started: time.Now()}
	job.guess()
	defer func() {
		if r := recover(); r != nil {
			reply = job.fail(trammel.Fail(trammel.CodePanic, "trammel itself failed: %v\n%s", r, debug.Stack()))
		}
	}()
	return job.run(ctx, job.started.Add(job.deadline()-margin(job.deadline())))
}

// expect has the watchdog reply with a failure if nothing else has by then.
func (j *job) expect(until time.Time, code trammel.Code, detail string) {
	j.Watchdog.expect(until, func() trammel.Reply {
		return failedReply(j.dialect, j.guessed, &trammel.Failure{Code: code, Detail: detail})
	})
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

func (j *job) deadline() time.Duration { return patienceOf(j.dialect, j.guessed.Kind) }

func (j *job) run(ctx context.Context, deadline time.Time) trammel.Reply {
	j.expect(j.started.Add(patience), trammel.CodeInput, "the payload did not end: the host keeps stdin open")
	raw, err := j.read()
	if err != nil {
		return j.fail(err)
	}
	// The hooks' own budget ends earlier, so that a slow hook is a failure of
	// that hook with a record, and this is the last resort.
	j.expect(deadline.Add(margin(j.deadline())/2), trammel.CodeTimeout, "no verdict in time")
	ev, err := j.decode(raw)
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
	j.recognize(ctx, ev)
	verdict, err := j.judge(ctx, ev, j.anchors(ev), j.terms(deadline))
	switch {
	case err != nil && j.HandOff != nil && handsOff(err):
		ctx, stop := j.waiting(ctx, deadline)
		defer stop()
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

// read takes the whole payload, but no more than may be judged.
func (j *job) read() ([]byte, error) {
	data, err := readAll(j.call.Stdin, maxRead+1)
	if err != nil {
		return nil, trammel.Fail(trammel.CodeInput, "reading the payload: %w", err)
	}
	if _, own := j.dialect.(dialects.Caller); own {
		return data, nil
	}
	return data, j.checkSize(len(data))
}

func (j *job) decode(raw []byte) (*trammel.Event, error) {
	if d, ok := j.dialect.(dialects.Caller); ok {
		return d.DecodeCall(raw, j.call.Event, j.getenv)
	}
	return j.dialect.DecodeEvent(raw, j.call.Event)
}

func (j *job) getenv(name string) string {
	if j.call.Getenv == nil {
		return ""
	}
	return j.call.Getenv(name)
}

// readAll is io.ReadAll with a limit, and with room from the start for what
// most payloads need.
func readAll(r io.Reader, limit int) ([]byte, error) {
	data := make([]byte, 0, 8<<10)
	for {
		n, err := r.Read(data[len(data):min(cap(data), limit)])
		data = data[:len(data)+n]
		if err == io.EOF || err == nil && len(data) >= limit {
			return data, nil
		}
		if err != nil {
			return data, err
		}
		if len(data) == cap(data) {
			data = slices.Grow(data, cap(data))
		}
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
		return tooLarge(limit)
	}
	return nil
}

func tooLarge(limit int64) error {
	return trammel.Fail(trammel.CodeTooLarge, "the payload is larger than %d bytes, which is the limit", limit)
}

// anchors are the directories from which project files are looked for.
func (j *job) anchors(ev *trammel.Event) []string {
	var dirs []string
	if d, ok := j.dialect.(dialects.Projector); ok {
		dirs = append(dirs, d.ProjectDir(j.getenv))
	}
	if ev != nil {
		dirs = append(dirs, ev.Session.Dir)
	}
	return append(dirs, j.call.Dir)
}
