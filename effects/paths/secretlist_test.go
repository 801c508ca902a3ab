package paths

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// The parts of secrets.txt are as the code that reads them takes them to be.
func TestSecretLists(t *testing.T) {
	l := secretLists()
	if len(l.public) < 10 || len(l.publicFolders) < 3 || len(l.folders) < 10 || len(l.patterns) < 20 {
		t.Fatalf("%d, %d, %d and %d entries", len(l.public), len(l.publicFolders), len(l.folders), len(l.patterns))
	}
	var names []string
	for line := range strings.Lines(l.names) {
		name, folders, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		names = append(names, name)
		if in, ok := l.named(name); !ok || in != folders {
			t.Errorf("%q is in %q (%v), not %q", name, in, ok, folders)
		}
		for _, other := range []string{name + "x", name[1:], name[:len(name)-1], "", name + "\t", name + "\n"} {
			if _, ok := l.named(other); ok && !strings.Contains("\n"+l.names, "\n"+other+"\n") && !strings.Contains("\n"+l.names, "\n"+other+"\t") {
				t.Errorf("%q is found", other)
			}
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(names)) != len(names) {
		t.Error("the names are not sorted, or one is there twice")
	}
}

// pattern.fits is path.Match for the patterns there are.
func TestSecretPatterns(t *testing.T) {
	_, parts, _ := strings.Cut(secrets, "*.age\n")
	for line := range strings.Lines("*.age\n" + parts) {
		text, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		p := patternOf(text)
		if strings.ContainsAny(text, `?[\`) && strings.Contains(text, "*") || strings.Count(text, "*") > 2 {
			t.Errorf("%q is no pattern with one star or two", text)
		}
		for _, fill := range []string{"", "x", "a.b", text, "."} {
			for _, name := range []string{strings.ReplaceAll(text, "*", fill), fill + text, text + fill, strings.Trim(text, "*."), fill,
				strings.Replace(text, "*", fill, 1)} {
				want, _ := path.Match(text, name)
				if got := p.fits(name); got != want {
					t.Errorf("%q fits %q: %v", text, name, got)
				}
			}
		}
	}
}
