package maxiterations

import (
	"testing"

	"github.com/trammel-dev/trammel/test/policysuite"
)

// DA-50: max_iterations.
func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }
