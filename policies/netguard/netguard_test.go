package netguard_test

import (
	"testing"

	"github.com/trammel-dev/trammel/policies/netguard"
	"github.com/trammel-dev/trammel/policies/suite"
)

func TestCases(t *testing.T) { suite.Run(t, netguard.Policy(), "testdata/cases.yaml") }
