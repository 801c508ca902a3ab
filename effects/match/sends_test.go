package match

import (
	"cmp"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects"
)

// What is written to a place is what is read from another: under the same name,
// behind links, in a tree, by patterns. A place is "name", "name -> where it leads",
// with * if it is a pattern; a slash at the end stands for all of a tree.
func TestMeets(t *testing.T) {
	place := func(text string) (p effects.Path, tree bool) {
		text, tree = strings.CutSuffix(text, "/")
		abs, real, _ := strings.Cut(text, " -> ")
		return effects.Path{Text: text, Abs: abs, Real: cmp.Or(real, abs), Glob: strings.Contains(abs, "*")}, tree
	}
	for _, c := range []struct {
		to, read string
		want     bool
	}{
		{"/a -> /r", "/a -> /s", true}, {"/a", "/b", false}, {"/a -> /r", "/b -> /r", true}, {"/a -> /b", "/b -> /c", true},
		{"/a -> /x", "/b -> /a", true}, {"/a/", "/a/b", true}, {"/a", "/a/b", false}, {"/a/b", "/a/", true}, {"/a/b", "/a", false},
		{"/a/", "/b/a", false}, {"/a/*.x", "/a/b.x", true}, {"/a/*.x", "/a/b.y", false}, {"/a/b.x", "/a/*.x", true}, {"/a/b.y", "/a/*.x", false},
		{"/a/b*", "/a/*.x", true}, {"/a/b*", "/a/c*", false}, {"/a/b*", "/c/b*", false}, {"", "", false}, {"/a", "", false},
	} {
		to, tree := place(c.to)
		read, whole := place(c.read)
		if got := meets(&to, tree, &effects.File{Path: read, Tree: whole}); got != c.want {
			t.Errorf("%s meets %s: %v", c.to, c.read, got)
		}
	}
}
