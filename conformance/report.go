package conformance

import (
	"fmt"
	"io"
	"slices"
)

// Status is how a fixture went.
type Status string

// The ways for a fixture to go.
const (
	Passed Status = "pass"
	Failed Status = "fail"
	// Gap: the host cannot do it, and the adapter said so on record.
	Gap Status = "gap"
)

// Report is how an adapter did.
type Report struct {
	Adapter string `json:"adapter"`
	Host    string `json:"host"`
	Wanted  Level  `json:"wanted"`
	// Reached is the highest level that has no failure in it or below, and for
	// which and below which what it is about was really seen.
	Reached Level    `json:"reached"`
	Passed  int      `json:"passed"`
	Failed  int      `json:"failed"`
	Gaps    []string `json:"gaps"`
	// Median and Slowest are in milliseconds from start to end of the process.
	// The first call in each box compiles its policy.
	Median  float64  `json:"median_ms"`
	Slowest float64  `json:"slowest_ms"`
	Results []Result `json:"results"`
}

// Result is how one fixture went.
type Result struct {
	ID       string    `json:"id"`
	Level    Level     `json:"level"`
	About    string    `json:"about"`
	Status   Status    `json:"status"`
	Expected Class     `json:"expected"`
	Note     string    `json:"note,omitempty"`
	Problems []Problem `json:"problems,omitempty"`
	Millis   float64   `json:"ms"`
	Stdout   string    `json:"stdout,omitempty"`
	Stderr   string    `json:"stderr,omitempty"`
}

// Problem is something that went otherwise than it should.
type Problem struct {
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

// OK reports whether the adapter reached what was wanted.
func (r *Report) OK() bool { return r.Reached >= r.Wanted }

// conclude counts, and finds the level.
func (r *Report) conclude() {
	r.Gaps = []string{}
	var times []float64
	passed, failed := map[Level]int{}, map[Level]int{}
	for _, res := range r.Results {
		switch res.Status {
		case Passed:
			r.Passed++
			if res.Expected.shows(res.Level) {
				passed[res.Level]++
			}
		case Failed:
			r.Failed++
			failed[res.Level]++
		case Gap:
			r.Gaps = append(r.Gaps, res.ID+": "+res.Note)
		}
		if res.Millis > 0 {
			times = append(times, res.Millis)
		}
	}
	for _, l := range Levels {
		if failed[l] > 0 || passed[l] == 0 {
			break
		}
		r.Reached = l
	}
	if slices.Sort(times); len(times) > 0 {
		r.Median, r.Slowest = times[len(times)/2], times[len(times)-1]
	}
}

// shows reports whether a fixture of this class shows what a level is about.
// Silence passes where silence is right, and steers nobody.
func (c Class) shows(l Level) bool {
	switch l {
	case L1:
		return c == Context
	case L2:
		return c == Deny
	}
	return true
}

// WriteText writes the report for people: a line per fixture, and under it
// what was expected and what came.
func (r *Report) WriteText(w io.Writer) error {
	out := &lines{w: w}
	for _, res := range r.Results {
		out.line("%-4s  %s  %-28s %8.1f ms  %s", res.Status, res.Level, res.ID, res.Millis, res.About)
		if res.Note != "" {
			out.line("            note      %s", res.Note)
		}
		for _, p := range res.Problems {
			out.line("            expected  %s", p.Expected)
			out.line("            got       %s", p.Got)
		}
		if res.Stdout != "" {
			out.line("            stdout    %q", res.Stdout)
		}
		if res.Stderr != "" {
			out.line("            stderr    %q", res.Stderr)
		}
	}
	out.line("")
	out.line("%s as %s: %d passed, %d failed, %d gaps; %.1f ms in the middle, %.1f ms at most", r.Adapter, r.Host, r.Passed, r.Failed,
		len(r.Gaps), r.Median, r.Slowest)
	out.line("level reached: %s, wanted: %s", r.Reached, r.Wanted)
	return out.err
}

// lines writes until it fails.
type lines struct {
	w   io.Writer
	err error
}

func (l *lines) line(format string, args ...any) {
	if l.err == nil {
		_, l.err = fmt.Fprintf(l.w, format+"\n", args...)
	}
}
