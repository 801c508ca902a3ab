package netguard_test

import (
	"testing"

	"github.com/trammel-dev/trammel/policies/netguard"
	"github.com/trammel-dev/trammel/test/policysuite"
)

func TestCases(t *testing.T) { policysuite.Run(t, netguard.Policy(), "testdata/cases.yaml") }
