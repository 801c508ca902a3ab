package shell

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// cases reads testdata/lines.txt: a block is a command line, a line of ---,
// and what it runs, one command a line. Blocks are separated by a line of ===.
func cases(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, block := range strings.Split(strings.TrimSpace(string(data)), "\n===\n") {
		line, want, ok := strings.Cut(block, "\n---\n")
		if !ok {
			t.Fatalf("block without ---: %q", block)
		}
		out[line] = strings.TrimSpace(want)
	}
	return out
}

// show writes a line's commands: assignments, the program (? if dynamic), and
// the arguments in brackets, or in angles if they are not static.
func show(l *Line) string {
	var b strings.Builder
	if l.Unknown {
		b.WriteString("unknown\n")
	}
	for i := range l.Commands {
		c := &l.Commands[i]
		for _, name := range c.Assign {
			b.WriteString(name + "= ")
		}
		if c.Dynamic {
			b.WriteString("?")
		}
		b.WriteString(c.Program)
		for _, w := range c.Args {
			if w.Static {
				b.WriteString(" [" + w.Text + "]")
			} else {
				b.WriteString(" <" + w.Text + ">")
			}
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "\x1b", "ESC"))
}

func TestLines(t *testing.T) {
	for line, want := range cases(t) {
		if got := show(Parse(line)); got != want {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", line, got, want)
		}
	}
}

func TestProgramAndPath(t *testing.T) {
	c := Parse(`"$HOME"/bin/git push`).Commands[0]
	if c.Program != "git" || c.Path != "$HOME/bin/git" || c.Dynamic {
		t.Errorf("got %+v", c)
	}
	c = Parse(`/usr/bin/git push`).Commands[0]
	if c.Program != "git" || c.Path != "/usr/bin/git" {
		t.Errorf("got %+v", c)
	}
}

func TestHas(t *testing.T) {
	for _, tc := range []struct {
		line string
		ask  string
		want bool
	}{
		{`git push --force`, "--force", true},
		{`git push --force=x`, "--force", true},
		{`git push --forc`, "--force", true},
		{`git push --for`, "--force", true},
		{`git push --force-with-lease`, "--force", false},
		{`git push --force`, "--force-with-lease", false},
		{`git push --forc`, "--force-with-lease", false},
		{`git push --force-w`, "--force-with-lease", true},
		{`git push --force-with-lease="$X"`, "--force-with-lease", true},
		{`git push -uf`, "-f", true},
		{`git push -f`, "-f", true},
		{`git push -abcdef`, "-f", false},
		{`git push -u1f`, "-f", false},
		{`git push --foo`, "-f", false},
		{`git push -- --force`, "--force", false},
		{`git push -- -f`, "-f", false},
		{`git push -- main`, "main", true},
		{`git push -- main`, "mai", false},
		{`git push -- main`, "--", true},
		{`git push`, "push", true},
		{`git pushy`, "push", false},
		{`git push $F`, "--force", false},
		{`F=--force; git push $F`, "--force", true},
		{`read F <<< --force; git push "$F"`, "--force", true},
		{`git push $(echo --force)`, "--force", true},
		{`git push "$(echo --force)"`, "--force", true},
		{`git push ${X:---force}`, "--force", true},
		{`git push {--force,origin}`, "--force", true},
		{`git push --forc{e,}`, "--force", true},
		{`git add {a,b}.go`, "--force", false},
		{`git push origin "$(git branch --show-current)"`, "-f", false},
		{`g() { git "$@"; }; g push --force`, "--force", true},
		{`echo --force | xargs git push`, "--force", true},
		{"git commit -m \"$(cat <<'EOF'\ngit push --force\nEOF\n)\"", "--force", false},
		{`git commit -m "git push --force"`, "--force", false},
	} {
		line := Parse(tc.line)
		got := false
		for i := range line.Commands {
			if line.Commands[i].Program == "git" {
				got = got || line.Commands[i].Words().Has(tc.ask)
			}
		}
		if got != tc.want {
			t.Errorf("%s: has %s: got %v, want %v", tc.line, tc.ask, got, tc.want)
		}
	}
}

// Doubt counts as yes, but only for what the source mentions.
func TestUnknownHas(t *testing.T) {
	for _, src := range []string{"git push --force (", "git push --force \xff", "git push --force\x00", "git push --force " +
		strings.Repeat("x", maxSource), "git push --force " + strings.Repeat("(", 100000), "git push --force;" +
		strings.Repeat("a;", maxCommands)} {
		l := Parse(src)
		if !l.Unknown || l.Why == "" || len(l.Commands) != 1 || !l.Commands[0].Dynamic || len(l.Commands[0].Args) != 0 {
			t.Fatalf("%.40q: got unknown=%v why=%q and %d commands", src, l.Unknown, l.Why, len(l.Commands))
		}
		w := l.Commands[0].Words()
		if !w.Has("--force") || !w.Has("no", "push") || w.Has("--mirror") || !w.Unknown() {
			t.Errorf("%.40q: wrong answers", src)
		}
	}
}

func TestOf(t *testing.T) {
	if l := Of(&trammel.Event{}); len(l.Commands) != 0 || l.Unknown {
		t.Errorf("event without a tool: %+v", l)
	}
	ev := &trammel.Event{Tool: &trammel.ToolCall{Action: trammel.Action{Command: "git status"}}}
	if got := show(Of(ev)); got != "git [status]" {
		t.Errorf("got %s", got)
	}
}

// Lines made to cost much more than their length must not.
func TestHostileLinesEndSoon(t *testing.T) {
	fill := func(head, unit string) string { return head + strings.Repeat(unit, (maxSource-len(head))/len(unit)) }
	for _, src := range []string{
		fill("", "("), fill("", "$("), fill("", "if "), fill("", "time "), fill("", "sudo "), fill("", "x()"), fill("[[ ", "! "), fill("((", "-"),
		fill("", "((a b);"), fill("", "$a "), fill("x ", "$a "), fill("alias a='echo "+strings.Repeat("x", 100000)+"'\n", "a;"),
		fill("", "eval a\\ b;"), fill("eval ", "eval "), fill("", "`"), fill("", "${a:-"), fill("", "$((\")\"+"), fill("", "<<a "),
		fill("cat ", "<<a\n"),
		fill("", "sh -c 'x' "), fill("find ", "-exec a {} + "), fill("", "{a,b}"), fill("", "\\"), fill("$'", "\\x"), fill("", "((("),
		strings.Repeat("((", 127) + "a b" + strings.Repeat("))", 127),
	} {
		began := time.Now()
		l := Parse(src)
		for i := range l.Commands {
			l.Commands[i].Words().Has("--force", "-f")
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%.30q took %v", src, took)
		} else if testing.Verbose() {
			t.Logf("%.30q %v unknown=%v %d", src, took, l.Unknown, len(l.Commands))
		}
	}
}

// What is too much to look into is listed as unknown, not left out.
func TestScriptsWithinScriptsAreBounded(t *testing.T) {
	last := func(src string) Command {
		l := Parse(src)
		if l.Unknown {
			t.Fatalf("%.40q is unknown: %s", src, l.Why)
		}
		return l.Commands[len(l.Commands)-1]
	}
	for name, src := range map[string]string{
		"wrappers": strings.Repeat("sudo ", maxDepth+1) + "git push",
		"evals":    strings.Repeat("eval ", maxDepth+1) + "git push",
		"text":     "alias a='echo " + strings.Repeat("x", maxSource/2) + "'\n" + strings.Repeat("a;", 12),
	} {
		if c := last(src); !c.Dynamic || !c.Words().Has("push", "alias") {
			t.Errorf("%s: %.40q ends in %s", name, src, c.Program)
		}
	}
	if c := last(strings.Repeat("sudo ", maxDepth-1) + "git push"); c.Program != "git" {
		t.Errorf("what is not too deep ends in %q", c.Program)
	}
}

func FuzzParse(f *testing.F) {
	data, err := os.ReadFile("testdata/lines.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, block := range strings.Split(string(data), "\n===\n") {
		line, _, _ := strings.Cut(block, "\n---\n")
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, src string) {
		late := time.AfterFunc(5*time.Second, func() { panic("no answer within 5 s: " + strconv.Quote(src)) })
		defer late.Stop()
		l := Parse(src)
		for i := range l.Commands {
			c := &l.Commands[i]
			if c.Dynamic != (c.Program == "") && c.Path != "" && !strings.HasSuffix(c.Path, "/") {
				t.Errorf("%q: %+v", src, c)
			}
			c.Words().Has("--force", "-f", "push", "")
			c.Words().Unknown()
			c.Words().Text()
		}
		if l.Unknown && len(l.Commands) != 1 {
			t.Errorf("%q: unknown with %d commands", src, len(l.Commands))
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for _, line := range []string{"git push --force", `cd /x && git add -A && git commit -m "$(cat a.txt)" | tee log`} {
		b.Run(line[:8], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(line)
			}
		})
	}
}
