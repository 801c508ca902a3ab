package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const sample = `package main

import "fmt"

var flags = []bool{1 == len("a")}

func f(a, b bool, n int) (out string) {
	const big = 3 > 2
	if a && (b || n > 2) {
		out += "x"
	}
	switch {
	case n <= 1:
		n++
		out += "y"
	default:
		panic("no")
	}
	return fmt.Sprint(out, n)
}

func g() bool { return true }

func main() { fmt.Println(f(true, false, 1), g(), flags) }
`

// Each mutant does what its kind says, whatever is nested in what, and without
// one the program is as before.
func TestWeave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "main.go")
	w := &weaver{}
	if err := os.WriteFile(path, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := w.weave(path, ".", "main.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"main.go": string(text), "switch.go": strings.Replace(switches, "PACKAGE", "main", 1),
		"go.mod": "module sample\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "sample.exe", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s\n%s", out, text)
	}
	want := map[string]string{
		"":                                   "y2 true [true]",
		`swap | 1 == len("a")`:               "y2 true [false]",
		"never | a && (b || n > 2)":          "y2 true [true]",
		"omit | a":                           "y2 true [true]",
		"omit | (b || n > 2)":                "xy2 true [true]",
		"omit | b":                           "y2 true [true]",
		"omit | n > 2":                       "y2 true [true]",
		"shift | n > 2":                      "y2 true [true]",
		`drop | out += "x"`:                  "y2 true [true]",
		"shift | n <= 1":                     "",
		`drop | n++ out += "y"`:              "1 true [true]",
		"drop | n++":                         "y1 true [true]",
		`drop | out += "y"`:                  "2 true [true]",
		"flip | true":                        "y2 false [true]",
		"drop | fmt.Println(f(true, false, ": "",
	}
	found := map[string]int{"": 0}
	for _, m := range w.mutants {
		key := m.kind + " | " + m.snippet
		found[key[:min(len(key), 34)]] = m.id
	}
	if len(found) != len(want) {
		t.Errorf("%d mutants: %v", len(found)-1, found)
	}
	for key, want := range want {
		id, ok := found[key]
		run := exec.Command(filepath.Join(dir, "sample.exe"))
		run.Env = append(os.Environ(), "TRAMMEL_MUTANT="+strconv.Itoa(id))
		out, _ := run.Output()
		if got := strings.TrimSpace(string(out)); !ok || got != want {
			t.Errorf("%q (%d): %q, want %q", key, id, got, want)
		}
	}
}
