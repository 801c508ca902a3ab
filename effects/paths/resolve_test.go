package paths

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/world"
)

// linked is a world in which these paths are links.
func linked(links map[string]string) *Resolver {
	return &Resolver{World: &world.Frozen{HomeDir: "/home/me", Links: links}}
}

func TestResolve(t *testing.T) {
	links := map[string]string{
		"/tmp":               "/private/tmp",
		"/work/app/out":      "../shared/out",
		"/work/app/cfg":      "/etc/app.conf",
		"/loop/a":            "b",
		"/loop/b":            "a",
		"/self":              "/self/x",
		"/work/app/chain":    "out/deep",
		"/work/shared/out/l": "/etc",
		"/proc/self":         "4711",
		"/dev/stdin":         "/etc/passwd",
		"/dev/stdout":        "/etc/passwd",
		"/dev/stderr":        "/etc/passwd",
		"/dev/fd":            "/etc",
		"/srv/stdin":         "/etc/passwd",
	}
	for _, c := range []struct {
		text, dir, abs, real string
		glob                 bool
	}{
		{text: "a", abs: "/work/app/a"},
		{text: "./a//b/../c", abs: "/work/app/a/c"},
		{text: "/", abs: "/"},
		{text: "..", abs: "/work"},
		{text: "../../../..", abs: "/"},
		{text: "/tmp/x", abs: "/private/tmp/x"},
		{text: "/tmp", abs: "/tmp", real: "/private/tmp"},
		{text: "/tmp/", abs: "/private/tmp"},
		{text: "/tmp/.", abs: "/private/tmp"},
		{text: "cfg", abs: "/work/app/cfg", real: "/etc/app.conf"},
		{text: "out/..", abs: "/work/shared"},
		{text: "out/l/passwd", abs: "/etc/passwd"},
		{text: "chain/x", abs: "/work/shared/out/deep/x"},
		{text: "/loop/a/x", abs: ""},
		{text: "/loop/a", abs: ""},
		{text: "/self", abs: ""},
		{text: "~", abs: "/work/app/~"},
		{text: "*.go", abs: "/work/app/*.go", glob: true},
		{text: "out/*", abs: "/work/shared/out/*", glob: true},
		{text: "*/../x", abs: "/work/app/x", glob: true},
		{text: "/et?", abs: "/et?"},
		{text: "/proc/self/cwd/x", abs: "/work/app/x"},
		{text: "/proc/self/root/etc", abs: "/etc"},
		{text: "/proc/1/root/etc/passwd", abs: "/etc/passwd"},
		{text: "/proc/1/cwd/x", abs: ""},
		{text: "/dev/fd/3", abs: "/dev/fd/3"},
		{text: `C:\Windows\..\x`, abs: `C:\x`},
		{text: "c:/Users", abs: `C:\Users`},
		{text: "c:*.*", abs: `C:\*.*`, glob: true},
		{text: "1:*.*", abs: "/work/app/1:*.*", glob: true},
		{text: "c=*.*", abs: "/work/app/c=*.*", glob: true},
		{text: "/dev/stdin", abs: "/dev/stdin"}, // another file in each process, so no link is followed
		{text: "/dev/stdout", abs: "/dev/stdout"},
		{text: "/dev/stderr", abs: "/dev/stderr"},
		{text: "/dev/fd/3", abs: "/dev/fd/3"},
		{text: "/srv/stdin", abs: "/srv/stdin", real: "/etc/passwd"},
		{text: "a", dir: "?", abs: ""},
		{text: "/a", dir: "?", abs: "/a"},
		{text: "", abs: ""},
		{text: "a\x00b", abs: ""},
		{text: strings.Repeat("a/", 4000), abs: "/work/app/" + strings.TrimSuffix(strings.Repeat("a/", 4000), "/")},
	} {
		r := linked(links)
		dir := Path{Abs: "/work/app", Real: "/work/app"}
		if c.dir == "?" {
			dir = Path{Text: "$X"}
		}
		p := r.Resolve(Word{Text: c.text, Known: true, Glob: c.glob}, dir)
		if c.real == "" {
			c.real = c.abs
		}
		if p.Abs != c.abs || p.Real != c.real || p.Text != c.text || p.Abs != "" && p.Glob != c.glob {
			t.Errorf("%.40q: got %.60q, real %.60q, glob %v; want %.60q, %.60q", c.text, p.Abs, p.Real, p.Glob, c.abs, c.real)
		}
	}
	r := linked(nil)
	if p := r.Resolve(Word{Text: "$X"}, Path{Abs: "/a"}); p.Known() {
		t.Error("an unknown word has a place")
	}
}

// The real file system agrees: what resolve says a path is, is what the kernel
// opens.
func TestResolveReal(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(root+"/a/b/c", 0o755))
	must(os.WriteFile(root+"/a/b/c/f", []byte("x"), 0o644))
	must(os.Symlink("a/b", root+"/l"))
	must(os.Symlink(root+"/l/c", root+"/a/m"))
	must(os.Symlink("../../f2", root+"/a/b/dangling"))
	for _, name := range []string{"l/c/f", "a/m/f", "a/m/../c/f", "l/../b/c/f", "a/b/c/../../m/f", "l/./c//f"} {
		r := &Resolver{World: world.System{}}
		p := r.Resolve(Word{Text: name, Known: true}, Path{Abs: root, Real: root})
		want, err := filepath.EvalSymlinks(root + "/" + name)
		must(err)
		// EvalSymlinks cleans first where the kernel does not; the file tells
		one, err1 := os.Stat(root + "/" + name)
		two, err2 := os.Stat(p.Real)
		if err1 != nil || err2 != nil || !os.SameFile(one, two) {
			t.Errorf("%s: got %s (%v %v), EvalSymlinks says %s", name, p.Real, err1, err2, want)
		}
	}
}

// Many paths, many links: bounded, and said so.
func TestResolveMany(t *testing.T) {
	r := linked(nil)
	for i := range 3 * maxStats {
		r.Resolve(Word{Text: "/x/" + strings.Repeat("y", i%50) + strconv.Itoa(i), Known: true}, Path{})
	}
	if !r.Full || len(r.links) > maxStats {
		t.Errorf("full is %v after %d looks", r.Full, len(r.links))
	}
}
