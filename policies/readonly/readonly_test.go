package readonly_test

import (
	"testing"

	"github.com/trammel-dev/trammel/policies/readonly"
	"github.com/trammel-dev/trammel/test/policysuite"
)

// FIM-41: nothing changes; what is unknown is denied.
func TestCases(t *testing.T) { policysuite.Run(t, readonly.Policy(), "testdata/cases.yaml") }
