package importers

import (
	"fmt"
	"io"
	"strings"
)

// WriteReport says what became of each rule, and how many there are of each kind.
func (r *Result) WriteReport(w io.Writer) error {
	counts := map[Outcome]int{}
	for _, e := range r.Report {
		counts[e.Outcome]++
		line := fmt.Sprintf("%s:%d: %s: %s", oneLine(e.File), e.Line, e.Outcome, oneLine(e.Rule))
		if e.Why != "" {
			line += " (" + e.Why + ")"
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	var parts []string
	for _, o := range []Outcome{Imported, Wider, Narrower, Noted, Refused, Ignored} {
		if counts[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[o], o))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no rules found"}
	}
	_, err := fmt.Fprintln(w, strings.Join(parts, ", "))
	return err
}

// Arguments are those of the call, as tools take them.
func (c *Call) Arguments() map[string]any {
	out := make(map[string]any, len(c.Input))
	for key, value := range c.Input {
		out[key] = value
	}
	return out
}
