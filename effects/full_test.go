package effects

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/gitbypass"
	"github.com/trammel-dev/trammel/effects/world"
)

// furnished is the machine of the tests with the files and links of testdata/disk.txt.
func furnished() *model.Setting {
	data, err := os.ReadFile("testdata/disk.txt")
	if err != nil {
		panic(err)
	}
	at := frozen()
	disk := at.World.(*world.Frozen)
	disk.Files, disk.Links = map[string]string{}, map[string]string{}
	for _, block := range strings.Split(strings.TrimSpace(string(data)), "\n===\n") {
		if name, to, ok := strings.Cut(block, "\n-> "); ok {
			disk.Links[name] = to
			continue
		}
		name, text, _ := strings.Cut(block+"\n", "\n---\n")
		disk.Files[name] = strings.ReplaceAll(text, `\x00`, "\x00")
	}
	return at
}

// details shows what show leaves out.
func details(s *Set) string {
	var b strings.Builder
	note := func(what string, i int, words ...string) {
		if text := strings.Join(strings.Fields(strings.Join(words, " ")), " "); text != "" {
			fmt.Fprintf(&b, "%s %d: %s\n", what, i, text)
		}
	}
	flag := func(on bool, word string) string {
		if on {
			return word
		}
		return ""
	}
	for i := range s.Runs {
		r := &s.Runs[i]
		note("run", i, flag(r.Path != r.Program, "path "+r.Path), flag(r.Stdin != nil, "fed"), flag(r.Data, "data"),
			flag(len(r.Uses) > 0, fmt.Sprint("uses ", r.Uses)))
		note("run", i, judged(r))
		for n, w := range r.Args {
			note(fmt.Sprintf("run %d word", i), n+1, flag(w.Network, "network"), flag(w.Some, "some"), flag(w.Names, "names"),
				flag(w.Splits, "splits"))
		}
	}
	for i := range s.Files {
		f := &s.Files[i]
		note("file", i, flag(f.Path.Glob, "glob"), flag(f.Path.Some, "some"), flag(f.Path.Real != f.Path.Abs, "really "+f.Path.Real),
			flag(f.Kept, "kept"), flag(f.Login, "login"), flag(f.Shown, "shown"))
	}
	for i, n := range s.Nets {
		note("net", i, n.URL, flag(n.InURL, "in the URL"), flag(n.Own, "own"))
	}
	for i, c := range s.Codes {
		note("code", i, c.Text)
	}
	for i, x := range s.Doubts {
		note("doubt", i, flag(x.Run >= 0, fmt.Sprint("by ", x.Run)))
	}
	for i, trap := range s.Traps {
		note("trap", i, trap.Code, trap.What, trap.Why)
	}
	for i, o := range s.Origins {
		note("origin", i, o.Path, o.Program)
	}
	return b.String() + flag(len(s.Env) > 0, "env "+strings.Join(s.Env, " "))
}

// judged shows what package programs says about a run as a whole.
func judged(r *Run) string {
	area, class := programs.ClassOf(r)
	host, fetches := programs.Fetches(r)
	out := strings.TrimSpace(area + " " + string(class))
	for _, one := range []struct {
		word string
		is   bool
	}{
		{"fetches from " + host, fetches}, {"reveals", programs.Reveals(r)}, {"persists", programs.Persists(r)},
		{"weakens", programs.Weakens(r)}, {"tells", programs.Tells(r)}, {"only reads", programs.OnlyReads(r)},
		{"skips hidden", programs.SkipsHidden(r)}, {"may destroy", programs.MayDestroy(r)}, {"unknownCall", programs.Unheard(r)},
		{"interactive", programs.Interactive(r)},
	} {
		if one.is {
			out += ", " + one.word
		}
	}
	if git, ok := programs.ReadGit(r); ok && gitbypass.Of(&git) != "" {
		out += ", bypasses hooks: " + gitbypass.Of(&git)
	}
	return strings.TrimPrefix(out, ", ")
}

// TestFull is TestLines with all that a reading has, on a machine with files
// (FLOW-33: every way to write a file is seen).
func TestFull(t *testing.T) {
	at := furnished()
	checkLines(t, "testdata/full/*.txt", func(line string) string {
		s := Derive(&trammel.Action{Kind: trammel.ShellAction, Command: line}, at)
		return strings.TrimSpace(show(s) + "\n" + details(s))
	})
}
