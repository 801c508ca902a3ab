package checkcmd

import (
	"cmp"
	"encoding/xml"
	"io"
)

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string      `xml:"classname,attr"`
	Name    string      `xml:"name,attr"`
	Failure *junitFault `xml:"failure"`
	Error   *junitFault `xml:"error"`
}

type junitFault struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes a report that CI systems read: a case for each policy test,
// and one for each other finding.
func writeJUnit(w io.Writer, r *Report) error {
	suite := junitSuite{Name: "trammel check", Failures: len(r.Findings)}
	if r.Unable != "" {
		suite.Errors = 1
		suite.Cases = append(suite.Cases, junitCase{Class: "trammel", Name: "check", Error: &junitFault{Message: r.Unable}})
	}
	for _, name := range r.Passed {
		suite.Cases = append(suite.Cases, junitCase{Class: string(Tests), Name: name})
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		suite.Cases = append(suite.Cases, junitCase{Class: string(f.Area), Name: cmp.Or(f.Hook, f.Code) + " " + f.File,
			Failure: &junitFault{Message: f.Message, Text: f.String()}})
	}
	suite.Tests = len(suite.Cases)
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
