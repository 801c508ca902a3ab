package words

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/programs/options"
)

// Tries reports whether an option of an unknown program says that it does nothing:
// --dry-run, --help. One that is turned off does not (--dry-run=false), and one that
// has a value may mean something else (--version 3).
func Tries(option, next string) bool {
	name, value, _ := strings.Cut(strings.ToLower(strings.TrimLeft(option, "-")), "=")
	last := next == "" || next[0] == '-'
	switch name {
	case "dry-run", "dryrun", "whatif", "help":
		return !options.Negative(value) && !options.Negative(next)
	case "h", "version":
		return last && value == ""
	}
	return false
}
