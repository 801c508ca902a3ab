package prodconfigguard_test

import (
	"testing"

	"github.com/trammel-dev/trammel/policies/prodconfigguard"
	"github.com/trammel-dev/trammel/policies/suite"
)

func TestCases(t *testing.T) { suite.Run(t, prodconfigguard.Policy(), "testdata/cases.yaml") }
