package condition

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trammel-dev/trammel/internal/expression"
)

// TEAM-20, TEAM-22: the parts of conditions, in whatever form they are joined, and the
// conditions that leave one out or negate one.
func TestOperandsAndMutants(t *testing.T) {
	for source, want := range map[string][]string{
		`command == "a"`: {`1:1 command == "a"`, `drop -> `, `negate -> !(command == "a")`},
		`command != "a" and not (prompt == "b")`: {`1:1 command != "a"`, `1:20 not (prompt == "b")`,
			`drop -> not (prompt == "b")`, `drop -> command != "a"`,
			`negate -> !(command != "a") and not (prompt == "b")`, `negate -> command != "a" and prompt == "b"`},
		"runs(\"a\") &&\n  runs(\"b\") && runs(\"c\")": {`1:1 runs("a")`, `2:3 runs("b")`, `2:16 runs("c")`,
			`drop -> runs("b") && runs("c")`, `drop -> runs("a") && runs("c")`, `drop -> runs("a") && runs("b")`,
			`negate -> !runs("a") && runs("b") && runs("c")`, `negate -> runs("a") && !runs("b") && runs("c")`,
			`negate -> runs("a") && runs("b") && !runs("c")`},
		`runs("a") && !(runs("b") || runs("c"))`: {`1:1 runs("a")`, `1:16 runs("b")`, `1:29 runs("c")`,
			`drop -> !(runs("b") || runs("c"))`, `drop -> runs("a")`, `drop -> runs("a") && !runs("c")`, `drop -> runs("a") && !runs("b")`,
			`negate -> !runs("a") && !(runs("b") || runs("c"))`, `negate -> runs("a") && !(!runs("b") || runs("c"))`,
			`negate -> runs("a") && !(runs("b") || !runs("c"))`},
		`runs("a") || any(args.list, # == "x" && # == "y")`: {`1:1 runs("a")`, `1:14 any(args.list, # == "x" && # == "y")`,
			`drop -> `, `stricter -> any(args.list, # == "x" && # == "y")`, `stricter -> runs("a")`,
			`negate -> !runs("a") || any(args.list, # == "x" && # == "y")`,
			`negate -> runs("a") || !any(args.list, # == "x" && # == "y")`},
		`let x = command; x == "a" ? runs("b") : runs("c")`: {`1:18 x == "a"`, `1:29 runs("b")`, `1:41 runs("c")`, `drop -> `,
			`negate -> let x = command; !(x == "a") ? runs("b") : runs("c")`, `negate -> let x = command; x == "a" ? !runs("b") : runs("c")`,
			`negate -> let x = command; x == "a" ? runs("b") : !runs("c")`},
	} {
		operands, node, err := Operands(source)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		var got []string
		for _, o := range operands {
			got = append(got, fmt.Sprintf("%d:%d %s", o.Line, o.Column, o.Text))
		}
		probes := 0
		node.Visit(func(n *expression.Node) {
			if n.Op == expression.Probe {
				probes++
			}
		})
		if probes != len(operands) {
			t.Errorf("%s: %d probes for %d operands", source, probes, len(operands))
		}
		mutants, err := Mutants(source)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		for _, m := range mutants {
			what := "drop"
			switch {
			case m.Negated:
				what = "negate"
			case m.Stricter:
				what = "stricter"
			}
			got = append(got, what+" -> "+m.Source)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", source, d)
		}
	}
}

// TEAM-22: whatever a condition is made of, its mutants compile and differ from it. One
// that cannot be written again is only left out.
func TestMutantsCompile(t *testing.T) {
	data, err := os.ReadFile("testdata/expressions.txt")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for line := range strings.Lines(string(data)) {
		source := strings.TrimSpace(line)
		mutants, err := Mutants(source)
		if err != nil {
			continue // it is no condition
		}
		was, err := compile(source, reflect.Bool)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mutants {
			if m.Source == "" {
				continue
			}
			tried++
			if is, err := compile(m.Source, reflect.Bool); err != nil || same(was, is) {
				t.Errorf("%s became %s: %v", source, m.Source, err)
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d mutants", tried)
	}
	for _, source := range []string{`1 == 1.0 && runs("a")`, `(let x = (let y = 2; y); x == 2) && runs("a")`} {
		if mutants, err := Mutants(source); err != nil || len(mutants) != 1 || mutants[0].Source != "" {
			t.Errorf("%s: %v, %v", source, mutants, err)
		}
	}
}
