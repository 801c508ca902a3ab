package strengthcmd

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/policytest/strength"
)

// A test that would notice several changes is printed once, and equal changes are counted.
func TestRepeatedChangesAreCounted(t *testing.T) {
	var m strength.Mutation
	for range 11 {
		m.Survivors = append(m.Survivors, strength.Mutant{Hook: "h", File: "f", Line: 1, Kind: "match", Change: "same", Test: "  - a\n"})
	}
	m.Survivors = append(m.Survivors, strength.Mutant{Hook: "h", File: "f", Line: 2, Kind: "match", Change: "other", Test: "  - a\n"},
		strength.Mutant{Hook: "h", File: "f", Line: 3, Kind: "match", Change: "third", Test: "  - b\n"})
	var out strings.Builder
	if err := writeMutation(&out, &m, 0); err != nil {
		t.Fatal(err)
	}
	want := "\nf:1: h: no test notices (match): same (11 times)\nf:2: h: no test notices (match): other\n  - a\n" +
		"\nf:3: h: no test notices (match): third\n  - b\n"
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("%s", out.String())
	}
}
