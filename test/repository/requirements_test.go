package repository

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var requirement = regexp.MustCompile(`\b(DA|FIM|AIC|FLOW|FST|MCP|APR|UI|TEAM)-\d\d\b`)

// docs/requirements.md says for every requirement which tests prove it, or
// "not yet". It is generated from the tests that name one, so it cannot claim
// a proof that is not there. Who leaves one unproven says so in the list: a
// number with neither fails.
func TestRequirementsMap(t *testing.T) {
	proofs := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "bin"):
			return filepath.SkipDir
		case d.IsDir() || path == "requirements_test.go":
			return nil
		case !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".txtar") && d.Name() != "cases.yaml":
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for id, names := range proofsIn(filepath.ToSlash(path), string(data)) {
			proofs[id] = append(proofs[id], names...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("docs/requirements.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := requirementsPage(t, string(list), proofs)
	if *update {
		if err := os.WriteFile("docs/requirements.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("docs/requirements.md")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("docs/requirements.md is out of date: go test ./test/repository -run TestRequirementsMap -update")
	}
}

var testName = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)

// proofsIn finds which test a requirement is named in: the function around it,
// or the one right below the comment that it stands in.
func proofsIn(path, text string) map[string][]string {
	out := map[string][]string{}
	funcs := testName.FindAllStringSubmatchIndex(text, -1)
	for _, at := range requirement.FindAllStringIndex(text, -1) {
		id := text[at[0]:at[1]]
		name := path
		lineStart := strings.LastIndexByte(text[:at[0]], '\n') + 1
		inTopComment := strings.HasPrefix(text[lineStart:], "//")
		for _, f := range funcs {
			if f[0] < at[0] && !inTopComment {
				name = path + " " + text[f[2]:f[3]]
			}
			if f[0] > at[0] && inTopComment {
				name = path + " " + text[f[2]:f[3]]
				break
			}
		}
		if !slices.Contains(out[id], name) {
			out[id] = append(out[id], name)
		}
	}
	return out
}

func requirementsPage(t *testing.T, list string, proofs map[string][]string) string {
	var b strings.Builder
	b.WriteString("# Requirements and their proofs\n\nGenerated: `go test ./test/repository -run TestRequirementsMap -update`. " +
		"A requirement is proven by the tests that name it; \"not yet\" means that no test does.\n\n")
	b.WriteString("| id | asks for | proven by |\n|---|---|---|\n")
	proven, total := 0, 0
	for line := range strings.Lines(list) {
		id, about, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || id == "#" || !requirement.MatchString(id) {
			continue
		}
		total++
		cell := "not yet"
		about, open := strings.CutSuffix(about, " (not yet)")
		if names := proofs[id]; names == nil && !open {
			t.Errorf("%s has no test that names it: write one, or say (not yet) in docs/requirements.txt", id)
		} else if names != nil {
			if open {
				t.Errorf("%s has tests that name it: remove (not yet) from docs/requirements.txt", id)
			}
			proven++
			slices.Sort(names)
			cell = "`" + strings.Join(names, "`<br>`") + "`"
		}
		delete(proofs, id)
		fmt.Fprintf(&b, "| %s | %s | %s |\n", id, about, cell)
	}
	for id, names := range proofs {
		t.Errorf("%s is named by %v, but is not in docs/requirements.txt", id, names)
	}
	fmt.Fprintf(&b, "\n%d of %d are named by at least one test.\n", proven, total)
	return b.String()
}
