package fst

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel/internal/strict"
)

// Names is a set of field names that results must not have at any depth, in
// whatever spelling.
type Names struct {
	folded []string
	most   int // letters that a name can have and still be one of them
}

// ForbiddenNames are the four of Authority and those added to them. There is
// no way to have fewer.
func ForbiddenNames(more ...string) Names {
	var n Names
	for _, name := range append(Authority(), more...) {
		if f := fold(name, len(name)); f != "" {
			n.folded = append(n.folded, f)
			n.most = max(n.most, 2*len(f)) // two letters can look like one
		}
	}
	slices.Sort(n.folded)
	n.folded = slices.Compact(n.folded)
	return n
}

// Has reports whether a name is one of them, or could be taken for one.
func (n Names) Has(name string) bool {
	_, found := slices.BinarySearch(n.folded, fold(name, n.most))
	if found || strict.ASCII(name) {
		return found
	}
	letters := lettersOf(name, n.most)
	return slices.ContainsFunc(n.folded, func(f string) bool { return looksLike(letters, []byte(f)) })
}

// In finds the first key in a text of JSON that is one of the names, as far as
// the text can be read. It reads more leniently than the decoder of results, so
// that a forbidden field behind a duplicate is reported by its name.
func (n Names) In(raw []byte) (name string, found bool) {
	d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		tok, err := d.ReadToken()
		if err != nil {
			return "", false
		}
		if tok.Kind() != '"' {
			continue
		}
		// In an object the name is what makes the number of its tokens odd.
		if kind, length := d.StackIndex(d.StackDepth()); kind == '{' && length%2 == 1 && n.Has(tok.String()) {
			return tok.String(), true
		}
	}
}
