package programs

import (
	_ "embed"
	"strings"
	"sync/atomic"

	"github.com/trammel-dev/trammel/effects/programs/fit"
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/programs/rows"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// table holds one row for each program that is known, sorted by name. Its head
// explains the format.
//
//go:embed table.txt
var table string

// Row is what is known about a program, or one sub-command. Its fields are parts of
// the table. It must not be changed.
type Row struct {
	// Name is the program's main name, even if it was found by another one.
	Name   string
	fields []field

	style              options.Style
	opt, ops           string
	special, runs, out string
	act                func(*call) // what special names
	data               bool
	classed            bool // its class may be known
}

// field is one field of a row: its name, and the text behind it.
type field struct {
	name, text string
	patterns   fit.Patterns // the text, if that is what it has
}

// noRow is the row of a program that is not described.
var noRow Row

// read takes a row apart. The first field is its style.
func read(name, body string) *Row {
	one, rest := cutField(body)
	r := &Row{Name: name, style: options.StyleOf(one), fields: make([]field, 0, strings.Count(rest, ";")+1)}
	for rest != "" {
		one, rest = cutField(rest)
		key, text := options.CutToken(one)
		text = strings.TrimSpace(text)
		r.fields = append(r.fields, field{name: key, text: text})
		switch key {
		case "opt":
			r.opt = text
		case "ops":
			r.ops = text
		case "do":
			r.special, r.act = text, special(text)
		case "runs":
			r.runs = text
		case "out":
			r.out = text
		case "data":
			r.data = true
		case string(Look), string(Change), string(Reset), string(Destroy), string(Publish), "verbs", "bins":
			r.classed = true
		}
	}
	return r
}

// Lookup finds the row of a program by its name in lower case: as it is, or
// without an ending (.sh, .ext4) or a version (python3.12). ok is false for a
// program that is not described.
func Lookup(name string) (row *Row, ok bool) {
	if row, ok = lookup(name); ok {
		return row, true
	}
	if i := strings.IndexByte(name, '.'); i > 0 {
		if row, ok = lookup(name[:i]); ok && (row.runs == "" || recipes.Language(name) == "unknown") { // sh.sh is a script
			return row, true
		}
	}
	if plain := strings.TrimRight(name, "0123456789.-"); plain != name {
		return lookup(plain)
	}
	return &noRow, false
}

// Sub finds the row of a sub-command.
func (r *Row) Sub(word string) (*Row, bool) {
	if word == "" || !r.style.Sub {
		return &noRow, false
	}
	return lookup(r.Name + " " + word)
}

// kept caches rows by the hash of their name. The table never changes, so entries
// never become stale.
var kept [1024]atomic.Pointer[keptRow]

type keptRow struct {
	name string
	row  *Row // noRow: there is none of that name
}

// longName is the length beyond which names are searched for each time.
const longName = 40

// lookup finds a row by its exact name.
func lookup(name string) (row *Row, ok bool) {
	slot := &kept[rows.Hash(name)%uint32(len(kept))]
	if k := slot.Load(); k != nil && k.name == name {
		return k.row, k.row != &noRow
	}
	row = locate(name)
	if len(name) <= longName {
		slot.Store(&keptRow{strings.Clone(name), row})
	}
	return row, row != &noRow
}

// locate searches the table, and follows a name that is only an alias.
func locate(name string) *Row {
	for range 3 {
		at, body := rows.Find(table, index, name)
		if at < 0 {
			break
		}
		own := table[at : at+len(name)]
		other, is := strings.CutPrefix(body, "= ")
		if !is {
			return read(own, body)
		}
		name = strings.TrimSpace(other)
	}
	return &noRow
}

// field returns the text of a field, "" if the row has none of that name.
func (r *Row) field(name string) string {
	if f := r.find(name); f != nil {
		return f.text
	}
	return ""
}

// has reports whether a row has a field, with or without a text.
func (r *Row) has(name string) bool { return r.find(name) != nil }

func (r *Row) find(name string) *field {
	for i := range r.fields {
		if r.fields[i].name == name {
			return &r.fields[i]
		}
	}
	return nil
}

// cutField takes the first field off a row.
func cutField(body string) (field, rest string) {
	field, rest, _ = strings.Cut(body, ";")
	return strings.TrimSpace(field), rest
}

// Table is the text of all rows.
func Table() string { return table }
