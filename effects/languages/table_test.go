package languages

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/languages/calls"
)

var update = flag.Bool("update", false, "write what comes out into testdata")

var all = []*Language{&python, &node, &ruby, &perl, &php, &lua, &r, &awk, &applescript, &tclLanguage, &vim}

// example is code and what it does. Code with «a b» in it is one program for
// each of the words, all of which do the same.
type example struct {
	code string
	want string
}

func (e *example) programs() (programs, words []string) {
	before, rest, ok := strings.Cut(e.code, "«")
	if !ok {
		return []string{e.code}, []string{""}
	}
	list, after, _ := strings.Cut(rest, "»")
	words = strings.Fields(list)
	for _, word := range words {
		programs = append(programs, before+word+after)
	}
	return programs, words
}

// examples reads blocks of "$ code", "> next line of it" and indented effects.
func examples(t *testing.T, l *Language) (out []example) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + l.name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(data), "\n") {
		switch last := len(out) - 1; {
		case strings.HasPrefix(line, "$ "):
			out = append(out, example{code: line[2:]})
		case strings.HasPrefix(line, "> "):
			out[last].code += "\n" + line[2:]
		case strings.HasPrefix(line, "  "):
			out[last].want += line[2:] + "\n"
		case line != "" && line[0] != '#':
			t.Fatalf("%s: cannot read %q", l.name, line)
		}
	}
	return out
}

// effectsOf reads code; args are a and b.
func effectsOf(l *Language, code string) string {
	lines := read(l, code, "a1", "b1").lines
	for i := range lines {
		lines[i] += "\n"
	}
	return strings.Join(lines, "")
}

// What code does, for each language.
func TestExamples(t *testing.T) {
	for _, l := range all {
		t.Run(l.name, func(t *testing.T) {
			list := examples(t, l)
			if *update {
				rewrite(t, l)
				return
			}
			for _, e := range list {
				programs, words := e.programs()
				for i, code := range programs {
					got := effectsOf(l, code)
					if got != e.want && strings.ReplaceAll(got, words[i], words[0]) != e.want { // where the code itself is shown
						t.Errorf("%s\ngot:\n%swant:\n%s", code, got, e.want)
					}
				}
			}
		})
	}
}

// rewrite puts what comes out into the file, comments kept.
func rewrite(t *testing.T, l *Language) {
	data, _ := os.ReadFile("testdata/" + l.name + ".txt")
	var out strings.Builder
	e := example{}
	flush := func() {
		if e.code != "" {
			programs, _ := e.programs()
			for line := range strings.Lines(effectsOf(l, programs[0])) {
				out.WriteString("  " + line)
			}
		}
		e.code = ""
	}
	for _, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "$ "):
			flush()
			e.code = line[2:]
		case strings.HasPrefix(line, "> "):
			e.code += "\n" + line[2:]
		case strings.HasPrefix(line, "  "):
			continue
		default:
			flush()
		}
		out.WriteString(line + "\n")
	}
	flush()
	if err := os.WriteFile("testdata/"+l.name+".txt", []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Every row of every table counts: without it some example does something
// else. So there is an example for each.
func TestEveryRowHasAnExample(t *testing.T) {
	for _, l := range all {
		if l.calls == nil {
			continue
		}
		list := examples(t, l)
		rows := strings.Split(*l.calls, "\n")
		for i, row := range rows {
			names, _, ok := strings.Cut(row, " | ")
			if !ok {
				if row != "" && !strings.HasPrefix(row, "[ ") {
					t.Errorf("%s: %q is no row", l.name, row)
				}
				continue
			}
			table := strings.Join(rows[:i], "\n") + "\n" + strings.Join(rows[i+1:], "\n")
			without := *l
			without.calls = &table
			if !tried(l, &without, list, strings.Fields(names)) {
				t.Errorf("%s: no example needs %s", l.name, row)
			}
		}
	}
}

// tried reports whether an example with one of these names differs without
// their row.
func tried(with, without *Language, list []example, names []string) bool {
	for _, e := range list {
		programs, _ := e.programs()
		for _, code := range programs {
			for _, name := range names {
				near := strings.Contains(strings.ToLower(code), strings.ToLower(name)) || name == "[]" || name == calls.Any
				if near && effectsOf(with, code) != effectsOf(without, code) {
					return true
				}
			}
		}
	}
	return false
}
