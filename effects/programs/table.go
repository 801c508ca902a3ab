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
// pieces of the table; those that every run asks for are cut out at once, the
// others when somebody asks.
type Row struct {
	// Name is the program's own name, where it was found by another one.
	Name string
	body string

	style              string
	opt, ops           string
	special, runs, out string
	data               bool
}

// read cuts out the fields that every run asks for.
func read(name, body string) Row {
	r := Row{Name: name, body: body}
	r.style, body = cutField(body)
	for body != "" {
		var one string
		one, body = cutField(body)
		switch key, text := cutToken(one); key {
		case "opt":
			r.opt = text
		case "ops":
			r.ops = strings.TrimSpace(text)
		case "do":
			r.special = strings.TrimSpace(text)
		case "runs":
			r.runs = strings.TrimSpace(text)
		case "out":
			r.out = strings.TrimSpace(text)
		case "data":
			r.data = true
		}
	}
	return r
}

// Lookup finds the row of a program by its name in lower case: as it is, or
// without an ending (.sh, .ext4) or a version (python3.12). ok is false for a
// program that is not described.
func Lookup(name string) (row Row, ok bool) {
	if row, ok = search(name); ok {
		row = read(row.Name, row.body)
	}
	return row, ok
}

// search is Lookup for who asks for other fields than those that are cut out at
// once.
func search(name string) (row Row, ok bool) {
	if row, ok = locate(name); ok {
		return row, true
	}
	if i := strings.IndexByte(name, '.'); i > 0 {
		if row, ok = locate(name[:i]); ok {
			return row, true
		}
	}
	if plain := strings.TrimRight(name, "0123456789.-"); plain != name {
		return locate(plain)
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

// lookup finds a row by its exact name.
func lookup(name string) (row Row, ok bool) {
	if row, ok = locate(name); ok {
		row = read(row.Name, row.body)
	}
	return row, ok
}

// locate is lookup without the fields. A name that only stands for another one
// leads there.
func locate(name string) (Row, bool) {
	for range 3 {
		body, ok := rowOf(name)
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
		middle := low + (high-low)/2
		at := next(rows, middle, high)
		if at == high { // no row begins in the second half
			if middle > low {
				high = middle
				continue
			}
			at = low
		}
		switch order := compare(rows[at:], name); {
		case order == 0:
			return rows[at+len(name)+1 : next(rows, at+1, len(rows))], true
		case order < 0:
			low = next(rows, at+1, high)
		default:
			high = at
		}
	}
	return "", false
}

// compare compares the name of the row at the beginning of rows with another.
func compare(rows, name string) int {
	for i := range len(name) {
		if i >= len(rows) || rows[i] < name[i] {
			return -1
		} else if rows[i] > name[i] {
			return 1
		}
	}
	if len(rows) <= len(name) || rows[len(name)] != '\t' {
		return 1
	}
	return 0
}

// next is where the first row at or behind a place begins, high if none does
// before that.
func next(rows string, at, high int) int {
	if at == 0 || rows[at-1] == '\n' && rows[at] != '\t' {
		return at
	}
	for {
		n := strings.IndexByte(rows[at:high], '\n')
		if n < 0 || at+n+1 >= high {
			return high
		}
		if at += n + 1; rows[at] != '\t' {
			return at
		}
	}
}

// field returns the text of a field, "" if the row has none of that name.
func (r Row) field(name string) string {
	text, _ := r.find(name)
	return text
}

// has reports whether a row has a field, with or without a text.
func (r Row) has(name string) bool {
	_, ok := r.find(name)
	return ok
}

func (r Row) find(name string) (text string, ok bool) {
	for rest := r.body; rest != ""; {
		var one string
		one, rest = cutField(rest)
		if text, ok := strings.CutPrefix(one, name); ok && (text == "" || text[0] == ' ' || text[0] == '\n') {
			return text, true
		}
	}
	return "", false
}

// is reports whether the style has this word.
func (r Row) is(word string) bool {
	for style := r.style; style != ""; {
		var one string
		if one, style = cutToken(style); one == word {
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
