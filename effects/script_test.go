package effects

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/world"
)

var update = flag.Bool("update", false, "write what comes out into testdata/lines")

// frozen is the machine of the tests.
func frozen() *model.Setting {
	return &model.Setting{Dir: "/work/app", Project: "/work/app",
		World: &world.Frozen{HomeDir: "/home/me", UserName: "me", Env: map[string]string{"EDITOR": "vim", "EMPTY": ""}}}
}

func effects(command string) *Set {
	return Derive(&trammel.Action{Kind: trammel.ShellAction, Command: command}, frozen())
}

// show writes effects the way testdata/lines has them: one a line, runs by
// their number.
func show(s *Set) string {
	var b strings.Builder
	for i := range s.Runs {
		r := &s.Runs[i]
		fmt.Fprintf(&b, "%d", i)
		if r.By >= 0 {
			fmt.Fprintf(&b, "<%d", r.By)
		}
		b.WriteByte(' ')
		for _, a := range r.Env {
			b.WriteString(a.Name + "=" + showWord(a.Value) + " ")
		}
		if r.Program == "" {
			b.WriteByte('?')
		}
		b.WriteString(r.Program)
		for _, w := range r.Args {
			b.WriteString(" " + showWord(w))
		}
		if r.More {
			b.WriteString(" …")
		}
		if r.From >= 0 {
			fmt.Fprintf(&b, " from %d", r.From)
		}
		if r.Input != nil {
			fmt.Fprintf(&b, " in %q", *r.Input)
		}
		if r.Root {
			b.WriteString(" root")
		}
		if r.Remote {
			b.WriteString(" remote")
		}
		if r.Dir.Abs != "/work/app" {
			b.WriteString(" at " + showPath(r.Dir))
		}
		b.WriteByte('\n')
	}
	for _, f := range s.Files {
		fmt.Fprintf(&b, "%s %s", f.Op, showPath(f.Path))
		if f.To.Text != "" {
			b.WriteString(" to " + showPath(f.To))
		}
		for _, flag := range []struct {
			on   bool
			word string
		}{{f.Tree, "tree"}, {f.Append, "append"}, {f.Endless, "endless"}, {f.Device, "device"}, {f.Code, "code"}} {
			if flag.on {
				b.WriteString(" " + flag.word)
			}
		}
		fmt.Fprintf(&b, " by %d\n", f.Run)
	}
	for _, n := range s.Nets {
		fmt.Fprintf(&b, "net %s", n.Host)
		if n.Port != "" {
			b.WriteString(":" + n.Port)
		}
		if n.Sends {
			b.WriteString(" sends")
		}
		if n.Listens {
			b.WriteString(" listens")
		}
		fmt.Fprintf(&b, " by %d\n", n.Run)
	}
	for _, c := range s.Codes {
		fmt.Fprintf(&b, "code %s %s", c.Language, c.Origin)
		if c.File.Text != "" {
			b.WriteString(" " + showPath(c.File))
		}
		fmt.Fprintf(&b, " by %d\n", c.Run)
	}
	for _, text := range s.Bombs {
		fmt.Fprintf(&b, "bomb %s\n", strings.ReplaceAll(text, "\n", " "))
	}
	for _, x := range s.Doubts {
		fmt.Fprintf(&b, "doubt %s %s\n", x.Code, strings.ReplaceAll(x.What, "\n", " "))
	}
	return strings.TrimSpace(b.String())
}

func showWord(w Word) string {
	text := strings.NewReplacer("\n", `\n`, "\x1b", "ESC").Replace(w.Text)
	switch {
	case !w.Known:
		return "<" + text + ">"
	case w.Glob:
		return "*[" + text + "]"
	}
	return "[" + text + "]"
}

func showPath(p Path) string {
	if p.Abs == "" {
		return "?(" + p.Text + ")"
	}
	return p.Abs
}

// Each block of testdata/lines/*.txt is a command line, a line of ---, and
// what it does. Blocks are separated by a line of ===.
func TestLines(t *testing.T) {
	if total := checkLines(t, "testdata/lines/*.txt", func(line string) string { return show(effects(line)) }); total < 250 {
		t.Errorf("only %d cases", total)
	}
}

// checkLines holds the blocks of some files against what read says, and returns
// how many there are.
func checkLines(t *testing.T, pattern string, read func(line string) string) (total int) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		blocks := strings.Split(strings.TrimSpace(string(data)), "\n===\n")
		for i, block := range blocks {
			line, want, _ := strings.Cut(block+"\n", "\n---\n")
			got := read(line)
			total++
			if *update {
				blocks[i] = line + "\n---\n" + got
			} else if got != strings.TrimSpace(want) {
				t.Errorf("%s: %s\ngot:\n%s\nwant:\n%s", file, line, got, want)
			}
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.Join(blocks, "\n===\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return total
}
