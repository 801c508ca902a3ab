package programs

import (
	_ "embed"
	"strings"
)

// table holds one row for each program that is known, sorted by name. Its head
// explains the format.
//
//go:embed table.txt
var table string

// Row is what is known of a program, or of one sub-command. Its fields are
// pieces of the table; nothing is decoded before somebody asks for it.
type Row struct {
	// Name is the program's own name, where it was found by another one.
	Name string
	body string
}

// Lookup finds the row of a program by its name in lower case: as it is, or
// without an ending (.sh, .ext4) or a version (python3.12). ok is false for a
// program that nobody has described.
func Lookup(name string) (row Row, ok bool) {
	if row, ok = lookup(name); ok {
		return row, true
	}
	if i := strings.IndexByte(name, '.'); i > 0 {
		if row, ok = lookup(name[:i]); ok {
			return row, true
		}
	}
	if plain := strings.TrimRight(name, "0123456789.-"); plain != name {
		return lookup(plain)
	}
	return Row{}, false
}

// Sub finds the row of a sub-command.
func (r Row) Sub(word string) (Row, bool) {
	if word == "" || !r.is("sub") {
		return Row{}, false
	}
	return lookup(r.Name + " " + word)
}

// lookup finds a row by its exact name. A name that only stands for another one
// leads there.
func lookup(name string) (Row, bool) {
	for range 3 {
		body, ok := bisect(table, name)
		if !ok {
			return Row{}, false
		}
		other, is := strings.CutPrefix(body, "= ")
		if !is {
			return Row{Name: name, body: body}, true
		}
		name = strings.TrimSpace(other)
	}
	return Row{}, false
}

// bisect finds the row with a name in sorted rows. A row goes on in lines that
// begin with a tab.
func bisect(rows, name string) (body string, ok bool) {
	if name == "" || name[0] == '#' {
		return "", false
	}
	low, high := 0, len(rows)
	for low < high {
		from := (low + high) / 2
		for from > low && (rows[from-1] != '\n' || rows[from] == '\t') {
			from--
		}
		to := from
		for {
			n := strings.IndexByte(rows[to:high], '\n')
			if n < 0 {
				to = high
				break
			}
			if to += n + 1; to >= high || rows[to] != '\t' {
				break
			}
		}
		head, rest, _ := strings.Cut(rows[from:to], "\t")
		switch {
		case head == name:
			return rest, true
		case head < name:
			low = to
		default:
			high = from
		}
	}
	return "", false
}

// field returns the text of a field, "" if the row has none of that name.
func (r Row) field(name string) string {
	for rest := r.body; rest != ""; {
		var one string
		one, rest = cutField(rest)
		if text, ok := strings.CutPrefix(one, name); ok && (text == "" || text[0] == ' ' || text[0] == '\n') {
			return text
		}
	}
	return ""
}

// has reports whether a row has a field, with or without a text.
func (r Row) has(name string) bool {
	for rest := r.body; rest != ""; {
		var one string
		one, rest = cutField(rest)
		if text, ok := strings.CutPrefix(one, name); ok && (text == "" || text[0] == ' ' || text[0] == '\n') {
			return true
		}
	}
	return false
}

// is reports whether the first field, the style, has this word.
func (r Row) is(word string) bool {
	style, _ := cutField(r.body)
	for style != "" {
		var one string
		if one, style = cutWord(style); one == word {
			return true
		}
	}
	return false
}

// cutField takes the first field off a row.
func cutField(body string) (field, rest string) {
	field, rest, _ = strings.Cut(body, ";")
	return strings.TrimSpace(field), rest
}

// cutWord takes the first word off a text.
func cutWord(text string) (word, rest string) { return cutToken(text) }
