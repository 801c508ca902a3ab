package fit

import (
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/sql"
)

// ReadsOnly reports whether all that sqlite3 is given are statements that only read.
func ReadsOnly(a *options.Args) bool {
	for i := range a.Given {
		if g := &a.Given[i]; g.Role != "" && (g.Role != "Z" || !g.Value.Known || !sql.ClientReads(g.Value.Text)) {
			return false
		}
	}
	for _, w := range a.Operands[1:] {
		if !w.Known || !sql.ClientReads(w.Text) {
			return false
		}
	}
	return len(a.Operands) > 1
}
