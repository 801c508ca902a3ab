package pathguard_test

import (
	"testing"

	"github.com/trammel-dev/trammel/policies/pathguard"
	"github.com/trammel-dev/trammel/test/policysuite"
)

func TestCases(t *testing.T) { policysuite.Run(t, pathguard.Policy(), "testdata/cases.yaml") }

func TestEdges(t *testing.T) { policysuite.Run(t, pathguard.Policy(), "testdata/edges.yaml") }
