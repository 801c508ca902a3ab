// Package command answers events with a program: a line for the shell, or a
// program and its arguments. The program gets the event in the dialect that it
// was written for, runs in its own process group with a clean environment, and
// its output is limited.
package command

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/clip"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/procgroup"
)

// New returns the factory of the kind "command". dialect finds the dialect of a
// program.
func New(dialect func(name string) (trammel.HookDialect, bool)) trammel.Factory {
	return func(spec trammel.Spec) (trammel.Handler, error) {
		cfg, err := ReadConfig(spec.Config)
		if err != nil {
			return nil, err
		}
		if err := cfg.Check(); err != nil {
			return nil, err
		}
		d, ok := dialect(cfg.dialect())
		if !ok {
			return nil, &option.Error{Key: "dialect", Message: fmt.Sprintf("unknown dialect %q", cfg.Dialect)}
		}
		var options []byte
		if cfg.Speak != nil {
			if options, err = canonical.Append(nil, cfg.Speak); err != nil {
				return nil, err
			}
		}
		if d, err = dialects.Configure(d, spec.Hook, options); err != nil {
			return nil, err
		}
		return &handler{Config: cfg, dialect: d, dir: spec.Dir, layer: spec.Source.Layer, match: spec.Match}, nil
	}
}

type handler struct {
	Config
	dialect trammel.HookDialect
	dir     string // where relative paths of the declaration start
	layer   string // of the declaration
	match   *trammel.Match
}

// Waits returns true: a program needs time.
func (h *handler) Waits() bool { return true }

// Explain says what would be run.
func (h *handler) Explain() string {
	line := h.Run
	if line == "" {
		line = strings.Join(h.Exec, " ")
	}
	if h.MustSucceed {
		return "checks that this succeeds: " + line
	}
	return fmt.Sprintf("runs %s (%s)", line, h.dialect.Name())
}

// Handle runs the program and reads its answer.
func (h *handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if err := h.CheckPinned(h.dir); err != nil {
		return trammel.Answer{}, err
	}
	input, err := h.dialect.EncodeEvent(ev)
	if err != nil {
		return trammel.Answer{}, fmt.Errorf("encoding the event in the dialect %s: %w", h.dialect.Name(), err)
	}
	cmd := procgroup.Command{Dir: h.workDir(ev), Env: h.environ(ev), Stdin: input, MaxOutput: h.maxOutput(), Tail: h.MustSucceed,
		Exact: !h.MustSucceed}
	entrypoint := h.prepare(&cmd)
	trace := &trammel.Trace{Entrypoint: digestFile(entrypoint), Input: canonical.Digest(input)}

	result, err := procgroup.Run(ctx, cmd)
	if result.Started {
		trace.Output = canonical.Digest(result.Stdout)
		trace.Stderr = tail(result.Stderr)
		if h.MustSucceed {
			trace.Stderr = tail(result.Stdout)
		}
	}
	answer, err := h.read(ev, result, err)
	if err != nil {
		return trammel.Answer{}, trammel.Traced(err, trace)
	}
	answer.Trace = trace
	return answer, nil
}

func (h *handler) read(ev *trammel.Event, r procgroup.Result, err error) (trammel.Answer, error) {
	switch {
	case err != nil && h.MustSucceed && r.Started:
		return trammel.Answer{}, h.unfinished(r, err)
	case err != nil:
		return trammel.Answer{}, err
	case h.MustSucceed:
		return h.judge(r), nil
	case r.Signal != "":
		return trammel.Answer{}, trammel.Fail(trammel.CodeCrash, "the program was ended by a signal: %s", r.Signal)
	case r.TruncatedOut:
		return trammel.Answer{}, trammel.Fail(trammel.CodeOversized, "the program printed more than %d bytes", h.maxOutput())
	}
	return h.dialect.DecodeAnswer(ev, trammel.Output{Stdout: r.Stdout, Stderr: r.Stderr, Exit: r.Exit})
}

// workDir is where the program runs: where the declaration says, else in the
// project, else where the agent is, else next to the declaration. For a
// project's hook, the project is the directory of its declaration: an agent
// that turns a subdirectory into a project must not get other scripts run under
// trusted names.
func (h *handler) workDir(ev *trammel.Event) string {
	switch {
	case h.Dir != "":
		return h.resolve(h.Dir)
	case h.layer == projectLayer:
		return h.dir
	}
	return cmp.Or(ev.Session.Place(), h.dir)
}

// projectLayer is the name of the layer of project files.
const projectLayer = "project"

// resolve makes a path of the declaration absolute.
func (h *handler) resolve(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(h.dir, path)
}

// tail is the end of a program's stderr, without cutting a character.
func tail(stderr []byte) string {
	return strings.ToValidUTF8(clip.End(strings.TrimSpace(string(stderr)), 4<<10), "")
}
