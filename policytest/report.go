package policytest

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
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
				fmt.Fprintf(w, "%sok%s    %s %s(%s)%s\n", c.Good, c.Off, r.Name, c.Dim, r.Took.Round(1000), c.Off)
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

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Seconds float64       `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes a report that CI systems read.
func WriteJUnit(w io.Writer, results []Result) error {
	suite := junitSuite{Name: "trammel", Tests: len(results)}
	for i := range results {
		r := &results[i]
		c := junitCase{Class: r.File, Name: r.Name, Seconds: r.Took.Seconds()}
		if !r.Passed() {
			suite.Failures++
			var b strings.Builder
			for _, d := range r.Diff {
				fmt.Fprintf(&b, "%s\n- expected: %s\n+ got:      %s\n", d.What, d.Want, d.Got)
			}
			message := r.Err
			if message == "" {
				message = fmt.Sprintf("%d differences", len(r.Diff))
			}
			c.Failure = &junitFailure{Message: message, Text: b.String()}
		}
		suite.Cases = append(suite.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
