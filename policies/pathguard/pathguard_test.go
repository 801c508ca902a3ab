package pathguard_test

import (
	"testing"

	"github.com/trammel-dev/trammel/policies/pathguard"
	"github.com/trammel-dev/trammel/policies/suite"
)

func TestCases(t *testing.T) { suite.Run(t, pathguard.Policy(), "testdata/cases.yaml") }
