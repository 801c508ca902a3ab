package programs

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/programs/parts"
	"github.com/trammel-dev/trammel/effects/programs/rows"
)

// rows are all rows of the table, by name.
func allRows(t testing.TB) map[string]string {
	out := map[string]string{}
	last := ""
	for line := range strings.Lines(table) {
		switch {
		case line[0] == '#':
		case line[0] == '\t':
			out[last] += line
		default:
			name, body, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
			if !ok || name <= last {
				t.Errorf("%q stands behind %q: rows are sorted, and each name has one", name, last)
			}
			last = name
			out[name] = body + "\n"
		}
	}
	return out
}

// TestTable proves that every row can be read strictly, and is found by its name
// (code: knowledge of a program is in one place).
func TestTable(t *testing.T) {
	all := allRows(t)
	if len(all) < 900 {
		t.Errorf("only %d rows", len(all))
	}
	for name, body := range all {
		row, ok := lookup(name)
		if !ok {
			t.Errorf("%s is not found", name)
			continue
		}
		if target, alias := strings.CutPrefix(body, "= "); alias {
			if row.Name != strings.TrimSpace(target) {
				t.Errorf("%s stands for %s, found %s: an alias names a row", name, target, row.Name)
			}
			continue
		}
		if err := check(body); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", "#", "zz-no-such-program", "git no-such", "\t", "rm\t"} {
		if row, ok := Lookup(name); ok {
			t.Errorf("%q is found as %s", name, row.Name)
		}
	}
	for name, want := range map[string]string{"python3.12": "python", "mkfs.xfs": "mkfs.xfs",
		"kafka-topics.sh": "kafka-topics",
		"perl5.36":        "perl", "gcp": "cp"} {
		if row, _ := Lookup(name); row.Name != want {
			t.Errorf("%s is found as %q, want %s", name, row.Name, want)
		}
	}
}

// check reads a row strictly.
// The row of a sub-command is reached: its program has a row that says so.
func TestSubCommandsAreReached(t *testing.T) {
	for name := range allRows(t) {
		program, word, ok := cutLast(name)
		if !ok {
			continue
		}
		row, found := lookup(program)
		if _, reached := row.Sub(word); !found || !reached {
			t.Errorf("the row %q is never used: the row of %q is missing, or does not begin with sub", name, program)
		}
	}
}

func cutLast(name string) (before, after string, ok bool) {
	i := strings.LastIndexByte(name, ' ')
	if i < 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}

func check(body string) error {
	styles, rest := cutField(body)
	for word := range strings.FieldsSeq(styles) {
		if !strings.Contains(" gnu posix dash old kv win mode attr fold negates sub short ", " "+word+" ") {
			return fmt.Errorf("style %q", word)
		}
	}
	seen := map[string]bool{}
	for rest != "" {
		var one string
		one, rest = cutField(rest)
		name, text := options.CutToken(one)
		text = strings.TrimSpace(text)
		switch class := Class(name); class {
		case Look, Change, Reset, Destroy, Publish, Secret, "fetch", "persists", "weakens", "dumps", "exports", "adopts", "trusts", "gets":
			for pattern := range strings.SplitSeq(text, ",") {
				if text != "" && strings.TrimSpace(pattern) == "" {
					return fmt.Errorf("%s has an empty pattern", name)
				}
			}
			continue
		}
		if seen[name] {
			return fmt.Errorf("field %q twice", name)
		}
		seen[name] = true
		if err := checkField(name, text); err != nil {
			return err
		}
	}
	return nil
}

func checkField(name, text string) error {
	if strings.Contains(text, "|**") || strings.Contains(text, "**|") { // alternatives are single words
		return fmt.Errorf("%s has %q, which no words fit", name, text)
	}
	switch name {
	case "opt":
		return checkOptions(text)
	case "ops":
		return checkPattern(text)
	case "do":
		if special(text) == nil {
			return fmt.Errorf("no function %s", text)
		}
	case "runs":
		if !slices.Contains(strings.Fields("shell xargs parallel find self ssh su line option each tmux screen container windows ansible others"),
			text) {
			return fmt.Errorf("unknown how to run %q", text)
		}
	case "out":
		if !slices.Contains([]string{"none", "in", "same", "order", "part", "some", "names", "net"}, text) {
			return fmt.Errorf("output %q", text)
		}
	case "is", "as", "env", "lang", "net", "service", "skip", "safe", "verbs", "loads", "knows", "edits", "same", "tokens":
		if text == "" {
			return fmt.Errorf("%s is empty", name)
		}
	case "here":
		if text != "" && text != "~" {
			return fmt.Errorf("here has %q", text)
		}
	case "data", "root", "opens", "elsewhere", "local", "bins", "sql", "injects", "lines", "tasks", "hands", "sets":
		if text != "" {
			return fmt.Errorf("%s has %q", name, text)
		}
	case "prefix":
		return checkPrefixes(text)
	case "tty":
	default:
		return fmt.Errorf("field %q", name)
	}
	return nil
}

// checkPrefixes checks a list of prefixes with roles, or the name of a program that has one.
func checkPrefixes(text string) error {
	if other, ok := lookup(text); ok && other.has("prefix") {
		return nil
	}
	for one := range strings.SplitSeq(text, ",") {
		words, pattern, ok := strings.Cut(strings.TrimSpace(one), " ")
		if !ok || strings.Contains(words, "||") {
			return fmt.Errorf("prefix %q", one)
		}
		if pattern == "." {
			continue
		}
		if err := checkPattern(strings.TrimSuffix(pattern, ".")); err != nil || pattern == "" {
			return fmt.Errorf("prefix %q: %w", one, err)
		}
	}
	return nil
}

func checkOptions(spec string) error {
	seen := map[string]bool{}
	for token := range strings.FieldsSeq(spec) {
		for names, more := token, true; more; {
			var one string
			if one, names, more = options.CutName(names); one == "" || seen[one] {
				return fmt.Errorf("option %q of %q is there twice, or has no name", one, token)
			}
			seen[one] = true
		}
		e := options.Decode(token)
		if e.Role != "" && e.Values == 0 && !e.Optional {
			return fmt.Errorf("%q has a role and no value", token)
		}
		if err := checkPattern(e.Role); err != nil {
			return err
		}
		switch action := strings.TrimPrefix(e.Action, "+"); action {
		case "-", "t", "a", ".", "":
		default:
			if err := checkPattern(action); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkPattern(pattern string) error {
	stars := 0
	for rest := pattern; rest != ""; {
		var p parts.Part
		p, rest = parts.Cut(rest)
		if p.Many {
			stars++
		}
		if strings.IndexByte("RTBWAEDMFIGLKUHOSCXYZVPNQ", p.Role) < 0 || stars > 1 {
			return fmt.Errorf("pattern %q", pattern)
		}
	}
	return nil
}

// TestNames proves that no program is forgotten that was known once.
func TestNames(t *testing.T) {
	data, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(data)) {
		if _, ok := Lookup(name); !ok {
			t.Errorf("%s is not known any more", name)
		}
	}
}

// FuzzRow proves that any row and any line can be read.
func FuzzRow(f *testing.F) {
	for _, name := range []string{"curl", "git push", "tar", "dd", "kubectl", "chmod", "sudo"} {
		_, body := rows.Find(table, index, name)
		f.Add(body, "-xf a --b=c --no-d e=f /s -- g")
	}
	f.Fuzz(func(t *testing.T, body, line string) {
		row := read("x", body)
		var args []Word
		for text := range strings.FieldsSeq(line) {
			args = append(args, Word{Text: text, Known: !strings.HasPrefix(text, "$")})
		}
		a := row.Parse(args)
		if n := len(a.Operands) + len(a.Given); len(args) > 0 && n > len(line) {
			t.Errorf("%d options and operands of %q", n, line)
		}
		row.class(&a)
		row.writes()
		check(body)
		r := rolesOf(row, &a)
		if checkPattern(r.pattern) == nil {
			seen := 0
			parts.Each(r.pattern, a.Operands, func(parts.Part, Word) { seen++ })
			if seen > len(a.Operands) {
				t.Errorf("%d roles for %d operands", seen, len(a.Operands))
			}
		}
		if at, found := rows.Bisect(body, line); at >= 0 && !strings.HasSuffix(body[:at+len(line)+1+len(found)], found) {
			t.Error("a row that is not there")
		}
	})
}

// TestKeptRows proves that a row that is kept is found by its own name only, though
// others share its place, and that a name of no program stays one.
func TestKeptRows(t *testing.T) {
	places := map[uint32][]string{}
	for name := range allRows(t) {
		places[rows.Hash(name)%uint32(len(kept))] = append(places[rows.Hash(name)%uint32(len(kept))], name)
	}
	shared := 0
	for _, names := range places {
		shared += len(names) - 1
		for range 2 {
			for _, name := range names {
				row, ok := lookup(name)
				if want := locate(name); !ok || row.Name != want.Name || len(row.fields) != len(want.fields) {
					t.Errorf("%s is found as %s", name, row.Name)
				}
				if _, ok := lookup(name + "~"); ok {
					t.Errorf("%s~ is found", name)
				}
			}
		}
	}
	if shared < 100 {
		t.Errorf("only %d rows share a place", shared)
	}
}

// Alternatives are words: rm|snap rm is no pattern for "rm" or "snap rm", which are two, with
// a comma between them.
func TestAlternatives(t *testing.T) {
	for _, line := range allRows(t) {
		for field := range strings.SplitSeq(line, ";") {
			name, patterns, _ := strings.Cut(strings.TrimSpace(field), " ")
			switch name {
			case "look", "change", "reset", "destroy", "publish", "secret", "dumps", "exports", "weakens", "persists", "adopts", "gets", "trusts":
			default:
				continue
			}
			for pattern := range strings.SplitSeq(patterns, ",") {
				terms := strings.Fields(pattern)
				for i := 1; i < len(terms); i++ {
					for one := range strings.SplitSeq(terms[i], "|") {
						if one[0] != '-' && !strings.ContainsAny(one, "*$!") && slices.Contains(strings.Split(terms[i-1], "|"), one) {
							t.Errorf("%q stands twice in %q", one, pattern)
						}
					}
				}
			}
		}
	}
}
