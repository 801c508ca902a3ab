package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// MayDestroy reports whether a run would destroy, change or publish something if
// those of its words that are not known were the right ones: terraform $v.
func MayDestroy(r *model.Run) bool {
	row, known := Lookup(r.Program)
	if !known || !open(r) {
		return false
	}
	if g, ok := ReadGit(r); ok {
		return g.Sub == "" && !g.Help
	}
	a := row.Parse(r.Args)
	if row.field("verbs") == "group" && (len(a.Operands) == 0 || !a.Operands[0].Known) {
		return true
	}
	for _, f := range row.fields {
		switch Class(f.name) {
		case Change, Reset, Destroy, Publish:
			for pattern := range strings.SplitSeq(f.text, ",") {
				if mayFit(pattern, &a, r.More) {
					return true
				}
			}
		}
	}
	return false
}

// mayFit is fits where a word that is not known may be any; more is true if there
// may be others.
func mayFit(pattern string, a *Args, more bool) bool {
	at := 0
	for pattern != "" {
		var term string
		term, pattern = cutToken(pattern)
		switch {
		case term == "" || term == "$" || strings.HasPrefix(term, "!-"):
		case term == "**":
			return false // too much would fit
		case term[0] == '-':
			if !more && !given(term, a) {
				return false
			}
		case at >= len(a.Operands):
			return more
		case a.Operands[at].Known && !oneOf(term, &a.Operands[at]):
			return false
		default:
			at++
		}
	}
	return true
}
