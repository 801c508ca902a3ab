package layers

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func (s *Set) names(w *world) (out []string) {
	for _, f := range s.Files {
		rel, _ := filepath.Rel(w.root, f.Path)
		out = append(out, filepath.ToSlash(rel)+" "+f.Trust.String())
	}
	return out
}

// AIC-20, AIC-02: the files of a repository's hooks are found beside and
// without trammel.yaml, from every directory below, and under the same trust.
func TestRepositoryHooks(t *testing.T) {
	w := newWorld(t)
	w.write("repo/.system/hooks/b.yml", "b")
	w.write("repo/.system/hooks/a.yaml", "a")
	w.write("repo/.system/hooks/c/d.YAML", "d") // enforcement 13
	for _, other := range []string{"AGENTS.md", ".hidden.yaml", "a.yaml~", "sub/.hidden/d.yaml"} {
		w.write("repo/.system/hooks/"+other, "x")
	}
	sub := w.mkdir("repo/deep/down")
	set, err := Find(w.Dirs, sub)
	if err != nil {
		t.Fatal(err)
	}
	if got := set.names(w); !slices.Equal(got, []string{"repo/.system/hooks/a.yaml unknown", "repo/.system/hooks/b.yml unknown",
		"repo/.system/hooks/c/d.YAML unknown"}) || set.Root != w.path("repo") || len(set.Notes) != 3 {
		t.Errorf("%v, root %s, %v", got, set.Root, set.Notes)
	}
	if Root(w.Dirs, sub) != w.path("repo") {
		t.Error("the root is another without reading")
	}
	if f := set.Files[0]; f.Dir != w.path("repo") || !f.IsRepositoryHook() || !set.Files[2].IsRepositoryHook() ||
		(&File{Layer: Project, Dir: w.path("repo"), Path: w.path("repo/trammel.yaml")}).IsRepositoryHook() {
		t.Errorf("%+v", f)
	}
	before := set.Digest
	w.write("repo/.system/hooks/a.yaml", "changed")
	if w.find("repo").Digest == before {
		t.Error("a change is not seen")
	}
	w.write("repo/.system/hooks/a.yaml", "a")
	w.write("repo/trammel.yaml", "y")
	w.trust("repo", nil)
	if got := w.find("repo").names(w); !slices.Equal(got, []string{"repo/trammel.yaml trusted", "repo/.system/hooks/a.yaml trusted",
		"repo/.system/hooks/b.yml trusted", "repo/.system/hooks/c/d.YAML trusted"}) {
		t.Errorf("%v", got)
	}
	if err := os.RemoveAll(w.path("repo/.system")); err != nil {
		t.Fatal(err)
	}
	set = w.find("repo")
	if got := set.names(w); !slices.Equal(got, []string{"repo/trammel.yaml trusted", "repo/.system/hooks/a.yaml trusted",
		"repo/.system/hooks/b.yml trusted", "repo/.system/hooks/c/d.YAML trusted"}) || !set.Files[1].Pinned {
		t.Errorf("what was trusted is gone with its file: %v", got)
	}
	// A directory whose trammel.yaml is the user's own has hooks, too, and nothing twice.
	w.write("user/trammel.yaml", "u")
	w.write("user/hooks.d/x.yaml", "x")
	w.write("user/.system/hooks/h.yaml", "h")
	for _, name := range []string{"user/trammel.yaml", "user/hooks.d/x.yaml"} {
		if err := os.Chmod(w.path(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.find("user").names(w); !slices.Equal(got, []string{"user/trammel.yaml trusted", "user/hooks.d/x.yaml trusted",
		"user/.system/hooks/h.yaml unknown"}) {
		t.Errorf("%v", got)
	}
}
