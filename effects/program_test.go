package effects

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// brief shows what a line does beyond the programs it names itself: programs
// that these start, files, hosts, code, doubts.
func brief(s *Set) string {
	var b strings.Builder
	for i := range s.Runs {
		if r := &s.Runs[i]; r.By >= 0 {
			fmt.Fprintf(&b, "run %s", r.Program)
			for _, w := range r.Args {
				b.WriteString(" " + showWord(w))
			}
			b.WriteByte('\n')
		}
	}
	for _, line := range strings.Split(show(&Set{Files: s.Files, Nets: s.Nets, Codes: s.Codes, Doubts: s.Doubts}), "\n") {
		if at := strings.LastIndex(line, " by "); at >= 0 && !strings.HasPrefix(line, "doubt") {
			line = line[:at]
		}
		b.WriteString(line + "\n")
	}
	return strings.TrimSpace(b.String())
}

// programCase is a command and what it does.
type programCase struct{ command, want string }

// programCases reads blocks of "$ command", "> next line of it" and indented
// effects. Lines with # in front are for the reader.
func programCases(t testing.TB, file string) (cases []programCase) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(data), "\n") {
		last := len(cases) - 1
		switch {
		case strings.HasPrefix(line, "$ "):
			cases = append(cases, programCase{command: line[2:]})
		case strings.HasPrefix(line, "> ") || line == ">":
			cases[last].command += "\n" + strings.TrimPrefix(line[1:], " ")
		case strings.HasPrefix(line, "  "):
			cases[last].want += line[2:] + "\n"
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			t.Fatalf("%s: cannot read %q", file, line)
		}
	}
	return cases
}

// TestPrograms proves what programs and inline code do (FLOW-33: every way to
// write a file is seen).
func TestPrograms(t *testing.T) {
	files, _ := filepath.Glob("testdata/programs/*.txt")
	total := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			total += checkCases(t, file, func(command string) string { return brief(effects(command)) })
		})
	}
	if total < 300 {
		t.Errorf("only %d cases", total)
	}
}

// checkCases holds the cases of a file against what read says, and returns how
// many there are.
func checkCases(t *testing.T, file string, read func(command string) string) int {
	cases := programCases(t, file)
	for _, c := range cases {
		if got := strings.TrimSpace(read(c.command)); got != strings.TrimSpace(c.want) {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", c.command, got, c.want)
		}
	}
	if *update {
		rewritePrograms(t, file, read)
	}
	return len(cases)
}

// rewritePrograms puts what comes out into the file, comments kept.
func rewritePrograms(t *testing.T, file string, read func(command string) string) {
	data, _ := os.ReadFile(file)
	var out strings.Builder
	command := ""
	flush := func() {
		if command == "" {
			return
		}
		if got := strings.TrimSpace(read(command)); got != "" {
			for _, line := range strings.Split(got, "\n") {
				out.WriteString("  " + line + "\n")
			}
		}
		command = ""
	}
	for _, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "$ "):
			flush()
			command = line[2:]
		case strings.HasPrefix(line, "> ") || line == ">":
			command += "\n" + strings.TrimPrefix(line[1:], " ")
		case strings.HasPrefix(line, "  "):
			continue
		default:
			flush()
		}
		out.WriteString(line + "\n")
	}
	flush()
	if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
