package workflowsteering

import (
	"testing"

	"github.com/trammel-dev/trammel/test/policysuite"
)

// FLOW-30: guidance at the start, at prompts and after sub-agents, once until it changes.
func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }
