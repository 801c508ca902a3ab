package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/parts"
)

// prefixed reads the beginning of a word that says what the rest of it is for the program.
func (r *Row) prefixed(text string) (pattern, rest string, ok bool) {
	list := r.field("prefix")
	if other, found := lookup(list); found { // the same as for another program
		list = other.field("prefix")
	}
	return parts.Prefixed(list, text)
}

// withPrefix lists what happens to a word that begins with a prefix. It reports false if none does.
func (c *call) withPrefix(r *roles, p parts.Part, w Word) bool {
	pattern, rest, ok := c.row.prefixed(w.Text)
	if !ok {
		return false
	}
	for pattern != "" {
		if pattern[0] == '.' {
			c.plain(r, p, Word{Text: rest, Known: w.Known, Glob: w.Glob})
			return true
		}
		var one parts.Part
		one, pattern = parts.Cut(pattern)
		each := []string{rest}
		if one.Many {
			each = strings.Split(rest, "|")
		}
		for _, text := range each {
			c.plain(r, one, Word{Text: text, Known: w.Known, Glob: w.Glob})
		}
	}
	return true
}

// asFile is a word that may name a file by its address: file:///x, file:x. One that is there
// under the whole name is meant by that.
func (c *call) asFile(w Word) Word {
	if file, ok := paths.OfAddress(w.Text); ok && w.Known && !c.host.IsThere(c.place(w)) {
		w.Text = file
	}
	return w
}

// Prefixed lists the arguments of a run that begin with a prefix by which its program does
// something else with them, each without the prefix. In runs are those that it runs, deletes
// or contacts, or whose settings it uses, in reads those that it reads.
func Prefixed(r *model.Run) (runs, reads []Word) {
	row, _ := Lookup(r.Program)
	if sub, _ := row.inner(r.Args); sub.has("prefix") {
		row = sub
	}
	if !row.has("prefix") {
		return nil, nil
	}
	for _, w := range r.Args {
		switch pattern, rest, ok := row.prefixed(w.Text); {
		case !ok:
		case strings.ContainsAny(pattern, "XYZSCDUHWN"):
			runs = append(runs, Word{Text: rest, Known: w.Known})
		case strings.ContainsAny(pattern, "RKL"):
			reads = append(reads, Word{Text: rest, Known: w.Known})
		}
	}
	return runs, reads
}
