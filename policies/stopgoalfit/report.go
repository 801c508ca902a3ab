package stopgoalfit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/plural"
)

// weight is the effect of a finding in mode block.
type weight uint8

const (
	advice weight = iota // is only mentioned
	soft                 // blocks while the work goes on, but not forever
	hard                 // contradicts the record: always blocks
)

// found is one finding.
type found struct {
	code, target string
	weight       weight
	text         string
}

// report has all findings about a task.
type report struct {
	found []found
	// over is true before the work has begun and after it has ended: then only
	// what contradicts the record blocks.
	over bool
}

func (r *report) add(w weight, code, target, format string, args ...any) {
	r.found = append(r.found, found{code, target, w, fmt.Sprintf(format, args...)})
}

func (r *report) hard() bool { return r.has(hard) }

func (r *report) blocks() bool { return r.has(hard) || !r.over && r.has(soft) }

func (r *report) has(w weight) bool {
	return slices.ContainsFunc(r.found, func(f found) bool { return f.weight == w })
}

// identity distinguishes reports by their findings, never by their text.
func (r *report) identity() string {
	ids := make([]string, len(r.found))
	for i, f := range r.found {
		ids[i] = f.code + " " + f.target
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), "\n")
}

func (r *report) findings() []trammel.Finding {
	out := make([]trammel.Finding, len(r.found))
	for i, f := range r.found {
		out[i] = trammel.Finding{Code: f.code, Severity: [...]string{"info", "warning", "error"}[f.weight], Target: f.target}
	}
	return out
}

// maxLines is how many findings are spelled out.
const maxLines = 12

func (r *report) lines() string {
	var b strings.Builder
	for _, f := range r.found[:min(len(r.found), maxLines)] {
		b.WriteString("\n- " + f.text)
	}
	if more := len(r.found) - maxLines; more > 0 {
		fmt.Fprintf(&b, "\n- and %d more", more)
	}
	return b.String()
}

func (r *report) blocked(n, most int) string {
	valve := fmt.Sprintf("Block %d of %d: after that the same findings are handed to the person.", n, most)
	if r.hard() {
		valve = fmt.Sprintf("Block %d. Contradictions of the record are never released.", n)
	}
	return fmt.Sprintf("[stop-gate] The task is not what it claims to be, so the agent cannot end yet (%s).%s\n%s Do what is missing, or "+
		"record honestly that it is not done and ask the person.", plural.Of(len(r.found), "finding"), r.lines(), valve)
}

func (r *report) released(most int) string {
	return fmt.Sprintf("[stop-gate] Released after %d identical blocks; this needs a person's decision (%s).%s", most,
		plural.Of(len(r.found), "finding"),
		r.lines())
}

func (r *report) warning() string {
	return fmt.Sprintf("[stop-gate] The agent ends while its task has open ends (%s).%s", plural.Of(len(r.found), "finding"), r.lines())
}
