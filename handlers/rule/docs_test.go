package rule_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the generated parts of the documentation")

// The words that conditions are made of stand in the documentation as the code
// has them.
func TestVocabularyIsDocumented(t *testing.T) {
	const page, begin, end = "../../docs/writing-hooks.md", "<!-- vocabulary -->\n", "<!-- end of vocabulary -->\n"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the vocabulary", page)
	}
	var b strings.Builder
	b.WriteString("\n| word | type | what it is |\n|---|---|---|\n")
	for _, term := range vocabulary() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", term.Name, term.Type, term.About)
	}
	b.WriteString("\n")
	want := before + begin + b.String() + end + after
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(data) {
		t.Errorf("%s is out of date: go test ./handlers/rule -update", page)
	}
}
