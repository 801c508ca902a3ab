package expression

import (
	"strings"
	"testing"
)

// nothing is a Scope without names.
type nothing struct{}

func (nothing) Text(string) (string, bool)       { return "", false }
func (nothing) Value(string) (any, bool)         { return nil, false }
func (nothing) Ask(string, []string) (any, bool) { return nil, false }
func run(t *testing.T, text string) (any, error) {
	t.Helper()
	n, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if got := n.String(); got != text {
		t.Errorf("%s is written as %s", text, got)
	}
	return n.Run(nothing{})
}

func TestTreesAreReadAsWritten(t *testing.T) {
	for text, want := range map[string]any{
		`true:1`: true, `not:1[false:5]`: true, `int:1"-7"`: -7, `float:9"1.5"`: 1.5, `text:1`: "", `text:1"\u00e9\"\xff"`: "é\"\xff",
		`let:5"0"[int:9"2" add:14[var:12"0" int:16"1"]]`:                     3,
		`loop:1"any"[list:5[int:6"1" int:8"2"] equal:13[item:11 int:16"2"]]`: true,
		`loop:1"reduce"[range:8[int:8"1" int:11"4"] add:17[acc:14 item:19]]`: 10,
		`slice:1"from"[text:1"abc" int:7"1"]`:                                "bc",
		`pattern:3"^a"[text:1"abc"]`:                                         true,
		`chain:1[optional:2[nil:1 text:3"a"]]`:                               nil,
	} {
		if got, err := run(t, text); err != nil || got != want {
			t.Errorf("%s: got %v %v, want %v", text, got, err, want)
		}
	}
}

// What is not known is an error, never true.
func TestTreesThatAreRefused(t *testing.T) {
	for _, text := range []string{
		``, `true`, `:1`, `perhaps:1`, `true:`, `true:x`, `true:1 `, `true:1true:1`, `true:1[true:1]`, `not:1`, `not:1[]`, `not:1[true:1`,
		`not:1[true:1,]`,
		`not:1[true:1 true:2]`, `int:1`, `int:1"x"`, `int:1"1.5"`, `float:1"x"`, `text:1"x`, `var:1"0"`, `var:1"x"`, `let:1"1"[nil:1 nil:1]`,
		`let:1"0"[var:1"0" nil:1]`, `item:1`, `index:1`, `acc:1`, `loop:1"any"[item:1 true:1]`, `loop:1"any"[list:1 acc:1]`,
		`loop:1"any"[list:1]`,
		`loop:1"len"[list:1 true:1]`, `call:1"any"[list:1]`, `call:1"exec"[list:1]`, `call:1"len"[nil:1 nil:1]`, `call:1"len"`, `map:1[nil:1]`,
		`slice:1"from"[nil:1]`, `slice:1"x"[nil:1]`, `slice:1[nil:1 nil:1]`, `true:1234567`, `method:1"has"`,
		strings.Repeat("not:1[", maxNodes+1),
	} {
		if n, err := Parse(text); err == nil {
			t.Errorf("%q is taken as %s", text, n)
		}
	}
	for _, text := range []string{`name:1"nope"`, `ask:1"nope"`, `pattern:1"("[text:1"x"]`, `method:1"has"[nil:1]`,
		`equal:1[name:1"x" nil:1]`} {
		if v, err := run(t, text); err == nil || !strings.HasPrefix(err.Error(), "column 1: ") {
			t.Errorf("%s: got %v %v", text, v, err)
		}
	}
}

// What the event holds must not make a guard late, nor use up memory.
func TestEvaluationIsBounded(t *testing.T) {
	many := `range:1[int:1"1" int:1"100000"]`
	for text, want := range map[string]string{
		`loop:1"all"[` + many + ` loop:2"all"[` + many + ` true:1]]`:                          "rounds",
		`let:1"0"[` + many + ` loop:1"all"[var:1"0" not:1[in:2[negate:1[item:1] var:1"0"]]]]`: "rounds",
		`call:1"uniq"[` + many + `]`:                                                            "rounds",
		`range:1[int:1"1" int:1"5000000"]`:                                                      "memory",
		`loop:1"reduce"[range:1[int:1"1" int:1"60"] add:1[acc:1 acc:1] text:1"x"]`:              "bytes of text",
		`loop:1"map"[` + many + ` range:1[int:1"1" int:1"100000"]]`:                             "memory",
		`call:1"repeat"[text:1"abcdefgh" int:1"999999"]`:                                        "memory",
		`loop:1"reduce"[range:1[int:1"1" int:1"60"] call:1"concat"[acc:1 acc:1] list:1[nil:1]]`: "memory",
	} {
		if v, err := run(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %T %v, want %s", text, v, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`and:5[name:1"stop.active" not:8[loop:9"any"[list:1[int:2"1"] matches:3[item:1 text:2"("]]]]`)
	f.Add(`let:1"0"[call:2"sort"[list:3[float:4"1e3" nil:5]] slice:2"both"[var:1"0" int:2"0" negate:1[int:1"1"]]]`)
	f.Add(`map:1[text:1"k" chain:1[optional:2[if:1[true:1 nil:1 nil:1] text:3"a"]]]`)
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(n.String())
		if err != nil || again.String() != n.String() {
			t.Fatalf("%q is written as %q: %v", text, n, err)
		}
		if strings.Contains(text, "loop") && strings.Contains(text, "range") {
			return // bounded, and slow
		}
		n.Run(nothing{})
	})
}
