package checkcmd

import (
	"cmp"
	"io"

	"github.com/trammel-dev/trammel/internal/junit"
)

// writeJUnit has a case for each policy test, and one for each other finding.
func writeJUnit(w io.Writer, r *Report) error {
	suite := junit.Suite{Name: "trammel check"}
	if r.Unable != "" {
		suite.Cases = append(suite.Cases, junit.Case{Class: "trammel", Name: "check", Error: &junit.Fault{Message: r.Unable}})
	}
	for _, name := range r.Passed {
		suite.Cases = append(suite.Cases, junit.Case{Class: string(Tests), Name: name})
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		suite.Cases = append(suite.Cases, junit.Case{Class: string(f.Area), Name: cmp.Or(f.Hook, f.Code) + " " + f.File,
			Failure: &junit.Fault{Message: f.Message, Text: f.String()}})
	}
	return junit.Write(w, suite)
}
