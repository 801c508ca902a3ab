package shellguard

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
)

// frozen is a world that stands still: what is there, and which of it is a directory.
type frozen struct {
	dir, project, home, user string
	paths                    map[string]bool   // true for directories
	links                    map[string]string // link → where it points to
}

func (m *frozen) world() *effects.World {
	return &effects.World{
		Dir: m.dir, Project: m.project, Home: m.home, User: m.user,
		Getenv: func(name string) (string, bool) {
			switch name {
			case "HOME":
				return m.home, true
			case "PWD":
				return m.dir, true
			case "USER":
				return m.user, true
			}
			return "", false
		},
		Lstat: func(p string) (os.FileInfo, error) {
			if _, ok := m.links[p]; ok {
				return entryOf{path.Base(p), fs.ModeSymlink}, nil
			}
			if dir, ok := m.paths[p]; ok {
				if dir {
					return entryOf{path.Base(p), fs.ModeDir}, nil
				}
				return entryOf{path.Base(p), 0}, nil
			}
			return nil, fs.ErrNotExist
		},
		Readlink: func(p string) (string, error) {
			if to, ok := m.links[p]; ok {
				return to, nil
			}
			return "", fs.ErrInvalid
		},
	}
}

type entryOf struct {
	name string
	mode fs.FileMode
}

func (e entryOf) Name() string       { return e.name }
func (e entryOf) Size() int64        { return 0 }
func (e entryOf) Mode() fs.FileMode  { return e.mode }
func (e entryOf) ModTime() time.Time { return time.Time{} }
func (e entryOf) IsDir() bool        { return e.mode.IsDir() }
func (e entryOf) Sys() any           { return nil }

// shop is the machine of the guard's own corpus.
func shop() *frozen {
	m := &frozen{dir: "/home/ann/shop", project: "/home/ann/shop", home: "/home/ann", user: "ann", paths: map[string]bool{}}
	for _, dir := range strings.Fields("/ /bin /boot /dev /etc /home /home/ann /home/ann/.ssh /home/ann/other /home/ann/other/.git " +
		"/home/ann/shop /home/ann/shop/.git /home/ann/shop/build /home/ann/shop/src /home/bob /lib /opt /proc /root /tmp /tmp/build /usr " +
		"/usr/bin /usr/local /var /var/lib /var/log") {
		m.paths[dir] = true
	}
	for _, file := range strings.Fields("/home/ann/shop/package.json /home/ann/shop/.env /home/ann/.ssh/id_rsa /home/ann/.bash_history") {
		m.paths[file] = false
	}
	return m
}

func careful(t testing.TB) *guard {
	h, err := Policy().New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return h.(*guard)
}

func (g *guard) ask(m *frozen, command string) trammel.Answer {
	w := m.world()
	return g.answer(effects.Derive(&trammel.Action{Kind: trammel.ShellAction, Command: command}, w), w)
}

// lines reads a file of the corpus.
func lines(t testing.TB, file string) []string {
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			out = append(out, strings.ReplaceAll(line, "␤", "\n"))
		}
	}
	return out
}

func TestAttacksAreDenied(t *testing.T) {
	g, m := careful(t), shop()
	for _, line := range lines(t, "attacks.txt") {
		want, command, _ := strings.Cut(line, " ")
		a := g.ask(m, command)
		if a.Decision != trammel.Deny || !has(a, want) {
			t.Errorf("%q\n\tis %s with %v, want deny for %s", command, a.Decision, a.Findings, want)
		}
	}
}

func has(a trammel.Answer, code string) bool {
	for _, f := range a.Findings {
		if f.Code == code {
			return true
		}
	}
	return false
}

func TestOrdinaryCommandsPass(t *testing.T) { pass(t, "ordinary.txt") }

func TestMentionsPass(t *testing.T) { pass(t, "mentions.txt") }

func pass(t *testing.T, file string) {
	g, m := careful(t), shop()
	for _, command := range lines(t, file) {
		if a := g.ask(m, command); a.Decision != trammel.None {
			t.Errorf("%q\n\tis %s: %s", command, a.Decision, a.Reason)
		}
	}
}

// TestWrappers puts every payload behind every wrapper, where @X stands for it,
// and an ordinary command, which must pass.
func TestWrappers(t *testing.T) {
	g, m := careful(t), shop()
	payloads := lines(t, "payloads.txt")
	for _, wrapper := range lines(t, "wrappers.txt") {
		for _, payload := range payloads {
			command := strings.ReplaceAll(wrapper, "@X", payload)
			if a := g.ask(m, command); a.Decision != trammel.Deny {
				t.Errorf("%q is %s with %v", command, a.Decision, a.Findings)
			}
		}
		command := strings.ReplaceAll(wrapper, "@X", "ls -la src")
		if a := g.ask(m, command); a.Decision != trammel.None {
			t.Errorf("%q is %s: %s", command, a.Decision, a.Reason)
		}
	}
}

// TestSuggestionsPass runs every command that a reason suggests through the
// strictest guard that asks nobody.
func TestSuggestionsPass(t *testing.T) {
	g, m := careful(t), shop()
	g.options.Level = "standard"
	for _, e := range entries {
		for i, part := range strings.Split(e.instead, "`") {
			if i%2 == 0 {
				continue
			}
			if a := g.ask(m, part); a.Decision != trammel.None {
				t.Errorf("%s suggests %q, which is %s: %s", e.code, part, a.Decision, a.Reason)
			}
		}
	}
}
