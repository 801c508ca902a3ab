package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/fit"
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
	for i := range row.fields {
		switch f := &row.fields[i]; Class(f.name) {
		case Change, Reset, Destroy, Publish:
			for pattern := range strings.SplitSeq(f.text, ",") {
				if fit.May(pattern, &a, r.More) {
					return true
				}
			}
		}
	}
	return false
}

// Unheard reports whether a run uses a word that its program, whose words are all
// known, does not have: a new one, or one that was made up.
func Unheard(r *model.Run) bool {
	row, _ := Lookup(r.Program)
	if !row.has("knows") {
		return false
	}
	a := row.Parse(r.Args)
	if len(a.Operands) == 0 || !a.Operands[0].Known || a.Help() {
		return false
	}
	return row.class(&a) == "" && !fit.Word(strings.TrimSpace(row.field("knows")), &a.Operands[0])
}
