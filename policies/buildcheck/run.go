package buildcheck

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/builds"
	"github.com/trammel-dev/trammel/internal/clip"
	"github.com/trammel-dev/trammel/internal/procgroup"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/strict"
)

// The results of a check.
const (
	passedStatus  = "passed"
	failedStatus  = "failed"
	timeoutStatus = "timeout"
	skippedStatus = "skipped" // the tool is missing, or the time is up
)

type result struct {
	dir    string
	check  []string
	status string
	exit   int
	took   time.Duration
	said   string // the end of its output
}

const (
	maxOutput = 256 << 10
	maxSaid   = 2 << 10
)

func (p *policy) run(ctx context.Context, root, dir string, check []string) result {
	r := result{dir: dir, check: check, status: skippedStatus, exit: -1}
	if ctx.Err() != nil {
		return r
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(p.Timeout))
	defer cancel()
	began := time.Now()
	out, err := procgroup.Run(ctx, procgroup.Command{Args: check, Dir: filepath.Join(root, filepath.FromSlash(dir)), Env: builds.Environ(),
		MaxOutput: maxOutput})
	r.took, r.exit = time.Since(began), out.Exit
	r.said = tail(append(out.Stdout, out.Stderr...))
	switch {
	case trammel.CodeOf(err) == trammel.CodeUnavailable:
		r.said = err.Error()
	case err != nil:
		r.status = timeoutStatus
	case out.Exit == 0:
		r.status = passedStatus
	default:
		r.status = failedStatus
	}
	return r
}

func tail(out []byte) string {
	text, _ := secret.Redact(strings.ToValidUTF8(strings.TrimSpace(string(out)), "\uFFFD"))
	return clip.End(text, maxSaid)
}

func (s *summary) append(dst []byte) []byte {
	status := skippedStatus
	results := make([]any, len(s.results))
	for i, r := range s.results {
		switch {
		case r.status == failedStatus || r.status == timeoutStatus:
			status = failedStatus
		case r.status == passedStatus && status != failedStatus:
			status = passedStatus
		}
		one := map[string]any{"component": r.dir, "check": r.check, "status": r.status, "duration_ms": r.took.Milliseconds()}
		if r.exit >= 0 {
			one["exit_code"] = r.exit
		}
		if r.said != "" && r.status != passedStatus {
			one["output"] = r.said
		}
		results[i] = one
	}
	var w strict.Writer
	w.Open()
	w.Number("version", 1)
	w.Text("session_id", s.session)
	w.Text("checked_at", s.at.UTC().Format(time.RFC3339))
	w.Text("status", status)
	w.Number("components_left_out", int64(s.more))
	w.Any("results", results)
	w.Close()
	return append(append(dst, w.Bytes()...), '\n')
}
