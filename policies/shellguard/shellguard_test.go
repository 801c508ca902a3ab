package shellguard

import (
	"context"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// entries are all codes there are.
func entries(t *testing.T) (all []entry) {
	_, rows, _ := strings.Cut(codes, "\n---\n")
	for row := range strings.Lines(rows) {
		if name, _, _ := strings.Cut(row, " "); !strings.HasPrefix(row, "\t") {
			e, known := find(code(name))
			if !known {
				t.Errorf("%s is not found", name)
			}
			all = append(all, e)
		}
	}
	if len(all) < 60 {
		t.Errorf("%d codes", len(all))
	}
	return all
}

// TestEntries holds the table of codes to its own rules.
func TestEntries(t *testing.T) {
	seen := map[code]bool{}
	for _, e := range entries(t) {
		if e.severity != info && e.severity != warning && e.severity != failure && e.severity != critical {
			t.Errorf("%s is %q", e.code, e.severity)
		}
		if seen[e.code] {
			t.Errorf("%s is there twice", e.code)
		}
		seen[e.code] = true
		if strings.HasSuffix(e.why, ".") || e.why == "" || e.instead != "" && !strings.HasSuffix(e.instead, ".") {
			t.Errorf("%s: %q %q", e.code, e.why, e.instead)
		}
		if e.instead == "" {
			t.Errorf("%s: what is worth a question is worth a suggestion", e.code)
		}
	}
}

// What merely looks like a row is not a code.
func TestUnknownCodes(t *testing.T) {
	for _, name := range []code{"", "#", "---", "What", "what", "\t", "destroys_home critical", "privilege warning this"} {
		if e, known := find(name); known {
			t.Errorf("%q is known: %+v", name, e)
		}
	}
}

// TestWhatDoesNotActCostsNothing: an event that the guard is not for must not
// be looked into.
func TestWhatDoesNotActCostsNothing(t *testing.T) {
	g := careful(t)
	ev := &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "Grep", Action: trammel.Action{Kind: trammel.SearchAction,
		Paths: []string{"/etc"}}}}
	if n := testing.AllocsPerRun(100, func() { g.Handle(context.Background(), ev) }); n > 0 {
		t.Errorf("a search costs %v allocations", n)
	}
}

// FuzzGuard: any command gets an answer, and one that is denied says why.
func FuzzGuard(f *testing.F) {
	for _, line := range lines(f, "payloads.txt") {
		f.Add(line)
	}
	g, m := careful(f), shop()
	f.Fuzz(func(t *testing.T, command string) {
		if a := g.ask(m, command); a.Decision == trammel.Deny && (a.Reason == "" || len(a.Findings) == 0) {
			t.Errorf("%q is denied without a reason", command)
		}
	})
}
