package programs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/options"
)

func words(line ...string) []Word {
	var out []Word
	for _, text := range line {
		out = append(out, Word{Text: text, Known: true})
	}
	return out
}

// TestParse proves the ways of reading that getopt does not have.
func TestParse(t *testing.T) {
	for _, c := range []struct{ style, spec, line, given, operands string }{
		{"gnu negates", "f,force force-with-lease? force-if-includes", "--forc", "", ""},
		{"gnu negates", "f,force force-with-lease? force-if-includes", "--force-w", "force-with-lease", ""},
		{"gnu negates", "f,force u,set-upstream", "-fu origin main", "force set-upstream", "origin main"},
		{"gnu negates", "f,force", "--force --no-force", "", ""},
		{"gnu negates", "f,force", "--no-force -f", "force", ""},
		{"gnu negates", "f,force", "-- --force", "", "--force"},
		{"gnu negates", "f,force repo=", "--repo --help --force", "repo=--help force", ""},
		{"gnu negates", "f,force o,push-option=", "-o --force", "push-option=--force", ""},
		{"gnu", "all alter", "--al x", "", "x"},
		{"gnu", "all alter", "--alt x", "alter", "x"},
		{"posix", "u,user=", "-u bob ls -l", "user=bob", "ls -l"},
		{"dash", "name= delete", ". -name x -delete", "name=x delete", "."},
		{"dash", "chdir= destroy", "-chdir=x apply --destroy", "chdir=x destroy", "apply"},
		{"old gnu", "x,extract f,file= C,directory=", "xfC a.tar dir b", "extract file=a.tar directory=dir", "b"},
		{"old gnu", "x,extract f,file=", "-xf a.tar", "extract file=a.tar", ""},
		{"kv", "if= of=", "if=a of=b x=c", "if=a of=b", "x=c"},
		{"win", "s q", "/S /q dir", "s q", "dir"},
		{"dash fold", "recurse path=", "-Recurse -PATH x y", "recurse path=x", "y"},
		{"gnu mode", "R,recursive", "-x -R f", "recursive", "-x f"},
		{"gnu attr", "R", "-i f", "", "-i f"},
		{"gnu", "arg=2 x", "--arg a b c", "arg=b", "c"},
	} {
		row := read("x", c.style+"; opt "+c.spec)
		a := row.Parse(words(strings.Fields(c.line)...))
		var given, operands []string
		for i := range a.Given {
			g := &a.Given[i]
			name := g.Name
			if name == "" {
				name = string(rune(g.Letter))
			}
			if !a.Has(name) || g.Off {
				continue
			}
			if g.Has {
				name += "=" + g.Value.Text
			}
			given = append(given, name)
		}
		for _, w := range a.Operands {
			operands = append(operands, w.Text)
		}
		if got := strings.Join(given, " "); got != c.given || strings.Join(operands, " ") != c.operands {
			t.Errorf("%s of %s: %s | %s, want %s | %s", c.line, c.spec, got, strings.Join(operands, " "), c.given, c.operands)
		}
	}
}

// TestGetopt compares the parser with getopt(1), with random options and lines.
func TestGetopt(t *testing.T) {
	program, err := exec.LookPath("getopt")
	if err != nil {
		t.Skip("getopt(1) is not installed")
	}
	random := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for n := range 300 {
		posix := n%2 == 1
		short, long, spec := "", []string(nil), ""
		for i := range 6 {
			letter, name := string(rune('a'+i)), []string{"all", "alter", "brief", "color", "dry-run", "dry"}[i]
			kind := random.IntN(3)
			short += letter + []string{"", ":", "::"}[kind]
			long = append(long, name+[]string{"", ":", "::"}[kind])
			spec += letter + "," + name + []string{"", "=", "?"}[kind] + " "
		}
		var line []string
		for range 1 + random.IntN(6) {
			line = append(line, []string{"-a", "-ab", "-bx", "-cde", "-f", "--all", "--al", "--alt=v", "--brief=x", "--col",
				"--dry", "--dry-", "--dry-run=", "x", "-", "--", "y z", "-e", "--color", ""}[random.IntN(20)])
		}
		if posix {
			short = "+" + short
		}
		cmd := exec.Command(program, append([]string{"-q", "-u", "-o", short, "-l", strings.Join(long, ","), "--"}, line...)...)
		cmd.Env = []string{}
		out, err := cmd.Output()
		if err != nil || slices.Contains(line, "") || slices.Contains(line, "y z") {
			continue // it complains, or cannot say it without quotes
		}
		compared++
		style := map[bool]string{true: "posix", false: "gnu"}[posix]
		a := read("x", style+"; opt "+spec).Parse(words(line...))
		var got []string
		for i := range a.Given {
			g := &a.Given[i]
			name := "--" + g.Name
			if spelled(line, g) {
				name = "-" + string(rune(g.Letter))
			}
			got = append(got, name)
			if e := options.Decode(strings.Fields(spec)[strings.IndexByte("abcdef", g.Letter)]); e.Values > 0 || e.Optional {
				got = append(got, g.Value.Text)
			}
		}
		got = append(got, "--")
		for _, w := range a.Operands {
			got = append(got, w.Text)
		}
		if want := strings.Fields(string(out)); !slices.Equal(strings.Fields(strings.Join(got, " ")), want) {
			t.Errorf("%s of %q: %q, getopt has %q", style+" "+spec, line, got, want)
		}
	}
	if compared < 50 {
		t.Errorf("only %d lines compared", compared)
	}
}

// spelled reports whether an option was given by its letter.
func spelled(line []string, g *Given) bool {
	at := g.End
	if g.Apart {
		at--
	}
	return !strings.HasPrefix(line[at], "--")
}

// TestArity compares the options of the table with what completions agree on,
// where the file is there.
func TestArity(t *testing.T) {
	data, err := os.ReadFile("../../../shared/facts/arity-vote.jsonl")
	if err != nil {
		t.Skip("no facts about arities here")
	}
	wrong, compared := []string(nil), 0
	for line := range bytes.Lines(data) {
		var vote struct {
			Program, Option, Value string
			Sources, Agree         int
		}
		if err := json.Unmarshal(line, &vote); err != nil {
			t.Fatal(err)
		}
		row, ok := lookup(vote.Program)
		if !ok {
			row = lookupOptions(vote.Program)
			ok = row.opt != ""
		}
		switch vote.Program + " " + vote.Option {
		case "elvish -c": // it does take code
			continue
		case "fd -x", "fd -X", "fd --exec", "fd --exec-batch": // all that follows is the command
			continue
		}
		if !ok || vote.Sources != vote.Agree || row.opt == "" || row.style.Dash || row.style.Sub ||
			!strings.HasPrefix(vote.Option, "--") && len(vote.Option) > 2 {
			continue
		}
		p := options.Parser{Spec: row.opt}
		name := strings.TrimLeft(vote.Option, "-")
		e, listed := p.Named(name)
		if len(name) == 1 && strings.HasPrefix(vote.Option, "-") {
			e, listed = p.Letter(name[0]), true
		}
		if !listed && vote.Value == "none" {
			continue
		}
		compared++
		takes := e.Values > 0 || e.Optional
		if want := vote.Value != "none"; takes != want && !e.Optional {
			wrong = append(wrong, fmt.Sprintf("%s %s %s", vote.Program, vote.Option, vote.Value))
		}
	}
	if compared == 0 {
		t.Error("nothing compared")
	}
	if len(wrong) > 0 {
		t.Errorf("%d of %d options are read otherwise:\n%s", len(wrong), compared, strings.Join(wrong, "\n"))
	}
}

// TestOptionsOfOthers proves that the file of options is sorted, can be read, and
// is used for programs that have no row.
func TestOptionsOfOthers(t *testing.T) {
	programs, options, last := 0, 0, ""
	for line := range strings.Lines(arity) {
		if line[0] == '#' {
			continue
		}
		name, spec, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || name <= last {
			t.Errorf("%q stands behind %q: names are sorted, and each is there once", name, last)
		}
		last = name
		if err := checkOptions(spec); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, known := Lookup(name); known {
			continue // it has got a row since then
		}
		if row := lookupOptions(name); strings.TrimSpace(row.opt) != spec {
			t.Errorf("%s is found with %.50q", name, row.opt)
		}
		programs, options = programs+1, options+len(strings.Fields(spec))
	}
	if programs < 700 || options < 8_200 {
		t.Errorf("only %d programs with %d options", programs, options)
	}
	r := model.Run{Program: "typst", Args: words("--root", "x", "build")}
	if a := Parse(&r); a.Word(0) != "build" {
		t.Errorf("the value of an option of an unknown program counts as an operand: %v", a.Operands)
	}
}
