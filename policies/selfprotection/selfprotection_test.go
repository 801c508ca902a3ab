package selfprotection_test

import (
	"testing"

	"github.com/trammel-dev/trammel/policies/selfprotection"
	"github.com/trammel-dev/trammel/policies/suite"
)

func TestCases(t *testing.T) { suite.Run(t, selfprotection.Policy(), "testdata/cases.yaml") }
