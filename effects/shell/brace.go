package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// braces expands a word with {a,b} or {1..3}. If that would be too many words, the
// word stays as it is, and counts as a pattern.
func (d *deriver) braces(w *syntax.Word) (words []*syntax.Word, pattern bool) {
	has := false
	for _, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.IndexByte(lit.Value, '{') >= 0 {
			has = true
		}
	}
	one := []*syntax.Word{w}
	if !has {
		return one, false
	}
	split := *w // the parsed file is shared
	if !syntax.SplitBraces(&split) {
		return one, false
	}
	out, ok := compute.Braces(&split, maxBraces)
	if !ok {
		d.doubt("size", d.text(w), -1)
		return one, true
	}
	return out, false
}
