package packs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/worker"
)

// Options are the caller's options.
type Options struct {
	// Log is where each call is recorded; nil records nothing.
	Log *evidence.Log
	// Keep records payloads, not only their digests.
	Keep bool
	// OnFailure is where a failed call leads; "" means Blocked.
	OnFailure Route
	// Pinned is the digest that the pack must have, if it was trusted.
	Pinned string
	// MaxLine and Memory limit the program; 0 means the worker's defaults.
	MaxLine int
	Memory  int64
}

// Session calls hooks of one pack, through one program that is kept alive. It
// is safe for concurrent use; calls are served in order.
type Session struct {
	pack    *Pack
	options Options

	mu         sync.Mutex
	worker     *worker.Worker
	broken     fst.Fault // why nothing can be called
	why        string    // details about the cause
	remove     func()
	entrypoint string // the digest of the entry file when the program was started
	calls      int
}

// Session starts a session. No program is started before the first call.
func (p *Pack) Session(o Options) *Session {
	o.OnFailure = cmp.Or(o.OnFailure, Blocked)
	return &Session{pack: p, options: o}
}

// Close ends the program. It fails if the program wrote more than it should.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.worker != nil && s.worker.Close() != nil {
		err = fst.TwoLines
	}
	if s.remove != nil {
		s.remove()
		s.remove = nil
	}
	s.worker = nil
	return err
}

// Starts counts how often the program was started.
func (s *Session) Starts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.worker == nil {
		return 0
	}
	return s.worker.Starts()
}

// Call calls a hook and records it. The error is not about the hook, whose
// failures are outcomes, but about the record: then the outcome must not be used.
func (s *Session) Call(ctx context.Context, c fst.Call) (Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	c.ID = ""
	if line, err := c.AppendLine(nil); err == nil {
		// Unique in the session, reproducible, and unknown to the program
		// before it reads the call.
		c.ID = fmt.Sprintf("%d-%.12s", s.calls, strings.TrimPrefix(canonical.Digest(line), "sha256:"))
	}
	return s.call(ctx, c, func(ctx context.Context, line []byte) ([]byte, error) { return s.worker.Call(ctx, line, c.Answers) })
}

// Last makes a call in a separate run of the program. It notices everything
// that the program does in addition to its result.
func (s *Session) Last(ctx context.Context, c fst.Call) (Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.call(ctx, c, func(ctx context.Context, line []byte) ([]byte, error) { return s.worker.Last(ctx, line) })
}

type exchange func(ctx context.Context, line []byte) ([]byte, error)

func (s *Session) call(ctx context.Context, c fst.Call, send exchange) (Outcome, error) {
	begin := time.Now()
	h, known := s.pack.Hook(c.Hook)
	c.ArtifactType = cmp.Or(c.ArtifactType, h.ArtifactType)
	o := Outcome{Hook: c.Hook, Type: h.Type, Runtime: s.pack.Runtime.ID, Kind: s.pack.Runtime.Kind, File: s.pack.Entrypoint, call: c,
		dir: s.pack.Dir}
	switch {
	case !known:
		o.fail(fst.UnknownHook)
	case h.ArtifactType != "" && c.ArtifactType != h.ArtifactType:
		o.fail(fst.WrongType)
	default:
		s.run(ctx, &o, send)
	}
	if o.Fault != "" {
		o.Route = s.options.OnFailure
	}
	o.Micros = time.Since(begin).Microseconds()
	return o, s.record(ctx, &o, begin)
}

func (s *Session) run(ctx context.Context, o *Outcome, send exchange) {
	line, err := o.call.AppendLine(nil)
	switch most := s.options.MaxLine; {
	case err != nil:
		o.fail(fst.BadPayload)
		return
	case len(line) > worker.DefaultMaxLine && most <= 0, most > 0 && len(line) > most:
		o.fail(fst.BigPayload)
		return
	}
	o.Input = canonical.Digest(line)
	s.prepare()
	o.Entrypoint = s.entrypoint
	if s.broken != "" {
		o.fail(s.broken)
		o.Stderr = s.why
		return
	}
	ctx, cancel := context.WithTimeout(ctx, s.pack.Runtime.Timeout)
	defer cancel()
	answer, err := send(ctx, line)
	o.Stderr = s.worker.Stderr()
	if err == nil || errors.Is(err, worker.ErrMore) {
		o.Output = canonical.Digest(append(answer, '\n'))
		o.readAnswer(answer, s.pack.Contract)
	}
	if err != nil && o.Fault == "" {
		o.fail(faultOf(err))
	}
}

// prepare prepares the start of the program, and stores the digest of its entry file.
func (s *Session) prepare() {
	if s.worker != nil && s.worker.Alive() {
		return
	}
	s.entrypoint, _ = files.Digest(filepath.Join(s.pack.Dir, filepath.FromSlash(s.pack.Entrypoint))) // "" if it is missing
	if s.worker != nil || s.broken != "" {
		return
	}
	if s.options.Pinned != "" {
		if got, err := files.Tree(s.pack.Dir); err != nil || got != s.options.Pinned {
			s.broken = fst.Changed
			return
		}
	}
	command := s.pack.Runtime.Command
	if s.pack.typescript() {
		var err error
		if command, s.remove, err = s.pack.translated(); err != nil {
			s.broken, s.why = fst.Untranslated, err.Error()
			return
		}
	}
	s.worker = worker.New(worker.Command{
		Args: s.pack.argv(command), Env: environ(), Dir: s.pack.Dir, MaxLine: s.options.MaxLine, Memory: s.options.Memory,
	})
}

func faultOf(err error) fst.Fault {
	for _, known := range []struct {
		err   error
		fault fst.Fault
	}{
		{worker.ErrTimeout, fst.Timeout}, {worker.ErrCanceled, fst.Canceled}, {worker.ErrNotFound, fst.NoRuntime},
		{worker.ErrExit, fst.EarlyExit},
		{worker.ErrFailed, fst.FailedExit}, {worker.ErrSignal, fst.Signaled}, {worker.ErrCutOff, fst.CutOff}, {worker.ErrClosed, fst.Closed},
		{worker.ErrTooLong, fst.TooLong}, {worker.ErrMore, fst.TwoLines}, {worker.ErrLingers, fst.Lingers},
	} {
		if errors.Is(err, known.err) {
			return known.fault
		}
	}
	return fst.NoStart
}

// sent reports whether a call has the digest that was recorded.
func sent(c fst.Call, digest string) bool {
	line, err := c.AppendLine(nil)
	return err == nil && canonical.Digest(line) == digest
}
