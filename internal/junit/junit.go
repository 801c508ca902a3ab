// Package junit writes the reports that CI systems read.
package junit

import (
	"encoding/xml"
	"io"
	"strconv"
	"time"
)

// Suite is a test suite. Write counts its cases.
type Suite struct {
	XMLName  xml.Name `xml:"testsuite"`
	Name     string   `xml:"name,attr"`
	Time     string   `xml:"time,attr,omitempty"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Cases    []Case   `xml:"testcase"`
}

// Case is one test case: it passed, failed, or could not be judged.
type Case struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Took    time.Duration `xml:"-"` // 0 if it was not measured
	Time    string        `xml:"time,attr,omitempty"`
	Failure *Fault        `xml:"failure"`
	Error   *Fault        `xml:"error"`
}

// Fault is what is wrong with a case.
type Fault struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// seconds is a time as CI systems read it: never with an exponent.
func seconds(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 6, 64)
}

// Write writes a suite as XML. It fills in the counts and the times.
func Write(w io.Writer, s Suite) error {
	s.Tests, s.Failures, s.Errors = len(s.Cases), 0, 0
	var all time.Duration
	for i := range s.Cases {
		s.Cases[i].Time = seconds(s.Cases[i].Took)
		all += s.Cases[i].Took
		if s.Cases[i].Failure != nil {
			s.Failures++
		}
		if s.Cases[i].Error != nil {
			s.Errors++
		}
	}
	s.Time = seconds(all)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(s); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
