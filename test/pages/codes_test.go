package pages

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/docs"
)

// codesIn are the codes of findings and the names of checks in the sources, by
// what each of them looks like there.
var codesIn = map[string][]*regexp.Regexp{
	"config/*.go": {
		regexp.MustCompile(`l\.add\(\w+, [^"\n]*"([a-z-]+)"`),
		regexp.MustCompile(`\bCode\w+: *"([a-z]+-[a-z-]+)"`),
		regexp.MustCompile(`\bCode: *"([a-z-]+)"`),
		regexp.MustCompile(`\w+Finding = "([a-z-]+)"`),
	},
	"config/condition/*.go": {regexp.MustCompile(`\bCode: *"([a-z-]+)"`)},
	"cmd/trammel/checkcmd/*.go": {
		regexp.MustCompile(`\bCode: *"([a-z-]+)"`),
		regexp.MustCompile(`\badd\("([a-z-]+)"`),
		regexp.MustCompile(`\bcode :?= "([a-z-]+)"`),
	},
	"internal/layers/layers.go": {regexp.MustCompile(`\bCode\w+ +Code = "([a-z_]+)"`)},
	"liveness/*.go":             {regexp.MustCompile(`Check\{Name: "([a-z]+)"`)},
}

// TEAM-54: every code of lint, check and doctor has a section on the page of
// codes, and every section is about one. There is a page for whoever rolls out,
// shares, overrides, runs CI, or works on Windows or macOS.
func TestCodes(t *testing.T) {
	for _, page := range []string{"rollout", "ci", "sharing", "overrides", "windows", "macos"} {
		if _, err := os.Stat("../../docs/" + page + ".md"); err != nil {
			t.Error(err)
		}
	}
	known := map[string]bool{}
	for pattern, forms := range codesIn {
		files, err := filepath.Glob(filepath.Join(Root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files %v", pattern, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, form := range forms {
				for _, m := range form.FindAllStringSubmatch(string(data), -1) {
					if strings.HasPrefix(pattern, "liveness") {
						m[1] = "doctor-" + m[1]
					}
					known[m[1]] = true
				}
			}
		}
	}
	if len(known) < 40 {
		t.Errorf("only %d codes were found in the sources", len(known))
	}
	page, ok := docs.Find("codes")
	if !ok {
		t.Fatal("there is no page of codes")
	}
	sections := page.Anchors()[1:]
	for _, code := range slices.Sorted(maps.Keys(known)) {
		if !slices.Contains(sections, code) {
			t.Errorf("docs/codes.md has no section about %s", code)
		} else if len(page.Section(code)) < len(code)+60 {
			t.Errorf("docs/codes.md says next to nothing about %s", code)
		}
	}
	for _, section := range sections {
		if !known[section] {
			t.Errorf("docs/codes.md describes %s, which is no code", section)
		}
	}
}
