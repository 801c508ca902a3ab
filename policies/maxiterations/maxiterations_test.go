package maxiterations

import (
	"testing"

	"github.com/trammel-dev/trammel/policies/suite"
)

// DA-50: max_iterations.
func TestCases(t *testing.T) { suite.Run(t, Policy(), "testdata/cases.yaml") }
