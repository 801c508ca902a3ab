package policytest

import (
	"fmt"
	"io"
	"strings"

	"github.com/trammel-dev/trammel/internal/junit"
	"github.com/trammel-dev/trammel/internal/plural"
)

// Colors paints a report. The zero value leaves it plain.
type Colors struct{ Good, Bad, Dim, Off string }

// WriteText writes a report for people: failures with what was expected and
// what came, and a line that counts.
func WriteText(w io.Writer, results []Result, c Colors, verbose bool) {
	bad := 0
	for i := range results {
		r := &results[i]
		if r.Passed() {
			if verbose {
				fmt.Fprintf(w, "%sok%s    %s %s(%s)%s\n", c.Good, c.Off, r.Name, c.Dim, plural.Took(r.Took), c.Off)
			}
			continue
		}
		bad++
		fmt.Fprintf(w, "%sFAIL%s  %s %s(%s)%s\n", c.Bad, c.Off, r.Name, c.Dim, r.File, c.Off)
		if r.Err != "" {
			fmt.Fprintf(w, "        %s\n", indent(r.Err))
		}
		for _, d := range r.Diff {
			fmt.Fprintf(w, "        %s\n", d.What)
			fmt.Fprintf(w, "        %s- expected: %s%s\n", c.Good, indent(d.Want), c.Off)
			fmt.Fprintf(w, "        %s+ got:      %s%s\n", c.Bad, indent(d.Got), c.Off)
			if d.By != "" {
				fmt.Fprintf(w, "          by hook:  %s\n", d.By)
			}
		}
	}
	fmt.Fprintf(w, "%d passed, %d failed\n", len(results)-bad, bad)
}

func indent(s string) string {
	if s == "" {
		return "(nothing)"
	}
	return strings.ReplaceAll(s, "\n", "\n          ")
}

// WriteJUnit writes a report that CI systems read.
func WriteJUnit(w io.Writer, results []Result) error {
	suite := junit.Suite{Name: "trammel"}
	for i := range results {
		r := &results[i]
		c := junit.Case{Class: r.File, Name: r.Name, Took: r.Took}
		if !r.Passed() {
			var b strings.Builder
			for _, d := range r.Diff {
				fmt.Fprintf(&b, "%s\n- expected: %s\n+ got:      %s\n", d.What, d.Want, d.Got)
				if d.By != "" {
					fmt.Fprintf(&b, "  by hook:  %s\n", d.By)
				}
			}
			message := r.Err
			if message == "" {
				message = fmt.Sprintf("%d differences", len(r.Diff))
			}
			c.Failure = &junit.Fault{Message: message, Text: b.String()}
		}
		suite.Cases = append(suite.Cases, c)
	}
	return junit.Write(w, suite)
}
