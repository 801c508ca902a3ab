package paths

import (
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/world"
)

// TestPlaces reads testdata/places.txt: a path, then what it is. A path with a
// pattern in it is one that the shell expands; the home is /home/ann, the
// project /home/ann/shop, and /home/ann/other is a repository.
func TestPlaces(t *testing.T) {
	data, err := os.ReadFile("testdata/places.txt")
	if err != nil {
		t.Fatal(err)
	}
	g := On(&model.Setting{Dir: "/home/ann/shop/src", Project: "/home/ann/shop", World: &world.Frozen{HomeDir: "/home/ann",
		Files: map[string]string{"/home/ann/other/.git/": "", "/home/ann/shop/.git/": ""}}})
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		text, want, _ := strings.Cut(line, " =>")
		text, want = strings.TrimSpace(text), strings.TrimSpace(want)
		p := Path{Text: text, Abs: text, Real: text, Glob: strings.ContainsAny(text, "*?[")}
		if got := describe(&g, p); got != want {
			t.Errorf("%s => %s, want %s", text, got, want)
		}
	}
}

// What is known about a home directory is true of the account's, wherever $HOME
// points, and under every name.
func TestMovedHome(t *testing.T) {
	g := On(&model.Setting{Dir: "/srv/p", Project: "/srv/p", World: &world.Frozen{HomeDir: "/etc/moved", AccountDir: "/homes/ann",
		Links: map[string]string{"/homes": "/data/homes"}, Files: map[string]string{"/data/homes/ann/": ""}}})
	for _, abs := range []string{"/homes/ann", "/data/homes/ann", "/etc/moved"} {
		p := Path{Text: abs, Abs: abs, Real: abs}
		if g.HomeOf(p) != Itself || !g.SecretTree(p) || !g.InHome(abs+"/x") {
			t.Errorf("%s is no home", abs)
		}
	}
	if tree, _ := g.System(Path{Abs: "/etc/moved/x", Real: "/etc/moved/x"}); tree != "/etc" {
		t.Error("a moved home makes a system tree the agent's own")
	}
}

func describe(g *Ground, p Path) string {
	var out []string
	extent := func(name string, e Extent) {
		if e > Nothing {
			out = append(out, name+":"+[]string{"", "part", "all", "itself"}[e])
		}
	}
	tree, e := g.System(p)
	extent("system("+tree+")", e)
	extent("home", g.HomeOf(p))
	extent("project", g.ProjectOf(p))
	for _, is := range []struct {
		name string
		is   bool
	}{{"repository", g.Repository(p)}, {"git", GitData(p)}, {"device", Device(p)}, {"temp", Temp(p)}, {"artefact", g.Artefact(p)},
		{"secret", g.Secret(p)}, {"secrets", g.SecretTree(p)}} {
		if is.is {
			out = append(out, is.name)
		}
	}
	return strings.Join(out, " ")
}

func TestUnknownPathIsNoPlace(t *testing.T) {
	g := On(&model.Setting{World: &world.Frozen{HomeDir: "/home/ann"}, Project: "/home/ann/shop"})
	if got := describe(&g, Path{Text: "$X"}); got != "" {
		t.Errorf("an unknown path is %s", got)
	}
}
