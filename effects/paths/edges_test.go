package paths

import (
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/world"
)

// What a place is, beside its neighbours that are something else.
func TestEdgesOfPlaces(t *testing.T) {
	for what, c := range map[string]struct {
		is      func(string) bool
		yes, no []string
	}{
		"special": {Special, []string{"/dev/sda", "/dev/shmx", "/dev/pts", `\\.\x`, "/proc/kcore"},
			[]string{"/dev/shm", "/dev/shm/a", "/dev/pts/1", "/dev/null", "/proc/cpuinfo"}},
		"of the system": {func(abs string) bool { return OfSystem(abs, "/usr/share/p") },
			[]string{"/usr/bin/git", "/opt/x/bin/y", "/usr/local/Cellar/b/1/x", "/a/.pyenv/shims/b", "/usr/share/q/x"},
			[]string{"/home/ann/usr/x", "/usrx/y", "/usr", "/opt/x", "/dev/shm/x", "/etc/x.sh", "/usr/src/p/x", "/usr/share/p/x",
				"/a/Cellar/b", "/tmp/shims/b", "/a/Cellar/b/bin/c"}},
		"git by a pattern": {func(abs string) bool { return CoversGit(Path{Abs: abs, Glob: true}) }, []string{"/a/.git*", "/a/.g?t"},
			[]string{"/a/*", "/a/.x*"}},
		"git by its name": {func(abs string) bool { return CoversGit(Path{Abs: abs}) }, nil, []string{"/a/.git"}},
	} {
		for _, abs := range c.yes {
			if !c.is(abs) {
				t.Errorf("%s is not %s", abs, what)
			}
		}
		for _, abs := range c.no {
			if c.is(abs) {
				t.Errorf("%s is %s", abs, what)
			}
		}
	}
}

// Settings of packages in the project are secrets only with a token in them, or
// if nobody can look.
func TestHarmlessCopies(t *testing.T) {
	w := &world.Frozen{HomeDir: "/home/ann", Files: map[string]string{"/p/.npmrc": "save-exact=true\n", "/p/a/.npmrc": "//r/:_authToken=x\n",
		"/p/b/.npmrc": "registry=https://r.example/\n", "/p/c/.npmrc": "registry=https://u:p@r.example/\n", "/q/.npmrc": "save-exact=true\n"}}
	g := On(&model.Setting{Project: "/p", World: w})
	for abs, want := range map[string]bool{"/p/.npmrc": false, "/p/a/.npmrc": true, "/p/b/.npmrc": false, "/p/c/.npmrc": true,
		"/q/.npmrc": true, "/p/d/.npmrc": true} {
		if got := g.Secret(Path{Text: abs, Abs: abs, Real: abs}); got != want {
			t.Errorf("%s is a secret: %v", abs, got)
		}
	}
	if !g.Holds(&model.File{Path: Path{Text: "x", Abs: "/p/x", Real: "/home/ann/.ssh/id_rsa"}}) {
		t.Error("a link to a key holds no secret")
	}
}

// A repository at the root of the machine is not that of everything below it.
func TestHookless(t *testing.T) {
	for files, want := range map[string]bool{"/.git/": false, "/a/.git/": true, "/a/.git": false} {
		if got := Hookless(&world.Frozen{HomeDir: "/home/ann", Files: map[string]string{files: ""}}, "/a/b/c"); got != want {
			t.Errorf("%s: %v", files, got)
		}
	}
}
