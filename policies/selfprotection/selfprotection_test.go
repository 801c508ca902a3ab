package selfprotection_test

import (
	"testing"

	"github.com/trammel-dev/trammel/policies/selfprotection"
	"github.com/trammel-dev/trammel/test/policysuite"
)

func TestCases(t *testing.T) { policysuite.Run(t, selfprotection.Policy(), "testdata/cases.yaml") }

func TestEdges(t *testing.T) { policysuite.Run(t, selfprotection.Policy(), "testdata/edges.yaml") }
