// Package suite is the tests that every host dialect has to pass. A dialect
// keeps its data in its own testdata: payloads.jsonl with what the host really
// sent, expected.jsonl with what it means, golden/ with what the host is
// answered. Run its tests with -update to write the last two, and read the
// difference.
package dialectsuite

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel"
)

var update = flag.Bool("update", false, "write expected.jsonl and golden files")

// golden compares with a file, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(g), len(w)) {
		if line(g, i) != line(w, i) {
			t.Errorf("%s, line %d:\ngot  %s\nwant %s", path, i+1, line(g, i), line(w, i))
		}
	}
}

func line(lines [][]byte, i int) string {
	if i < len(lines) {
		return string(lines[i])
	}
	return "(nothing)"
}

// wellFormed checks a reply: stdout is empty, or one JSON object and a
// newline; nothing else may be there, because hosts take noise for consent.
func wellFormed(t *testing.T, r trammel.Reply) {
	t.Helper()
	if len(r.Stdout) == 0 {
		return
	}
	object, ended := bytes.CutSuffix(r.Stdout, []byte("\n"))
	if !ended || !jsontext.Value(object).IsValid() || jsontext.Value(object).Kind() != '{' || bytes.ContainsRune(object, '\n') {
		t.Errorf("stdout is not one JSON object on one line: %q", r.Stdout)
	}
}
