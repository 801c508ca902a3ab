// Package junit writes the reports that CI systems read.
package junit

import (
	"encoding/xml"
	"io"
)

// Suite is a test suite. Write counts its cases.
type Suite struct {
	XMLName  xml.Name `xml:"testsuite"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Cases    []Case   `xml:"testcase"`
}

// Case is one test case: it passed, failed, or could not be judged.
type Case struct {
	Class   string  `xml:"classname,attr"`
	Name    string  `xml:"name,attr"`
	Seconds float64 `xml:"time,attr,omitempty"`
	Failure *Fault  `xml:"failure"`
	Error   *Fault  `xml:"error"`
}

// Fault is what is wrong with a case.
type Fault struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Write writes a suite as XML.
func Write(w io.Writer, s Suite) error {
	s.Tests, s.Failures, s.Errors = len(s.Cases), 0, 0
	for i := range s.Cases {
		if s.Cases[i].Failure != nil {
			s.Failures++
		}
		if s.Cases[i].Error != nil {
			s.Errors++
		}
	}
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
