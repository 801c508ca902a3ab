package stopgoalfit

import (
	"testing"

	"github.com/trammel-dev/trammel/test/policysuite"
)

// FLOW-32, FLOW-42: what is found, what blocks, what is let go, and who may say so.
func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }
