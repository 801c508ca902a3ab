package prodconfigguard_test

import (
	"testing"

	"github.com/trammel-dev/trammel/policies/prodconfigguard"
	"github.com/trammel-dev/trammel/test/policysuite"
)

func TestCases(t *testing.T) { policysuite.Run(t, prodconfigguard.Policy(), "testdata/cases.yaml") }
