package optnames

import "strings"

// Negative reports whether the value of an option turns it off: --dry-run=false.
func Negative(value string) bool {
	switch strings.ToLower(value) {
	case "false", "f", "no", "n", "none", "off", "0", "never", "disabled":
		return true
	}
	return false
}

// Tries reports whether an option of an unknown program says that it does nothing:
// --dry-run, --help. One that is turned off does not (--dry-run=false), and one that
// has a value may mean something else (--version 3).
func Tries(option, next string) bool {
	name, value, _ := strings.Cut(strings.ToLower(strings.TrimLeft(option, "-")), "=")
	last := next == "" || next[0] == '-'
	switch name {
	case "dry-run", "dryrun", "whatif", "help":
		return !Negative(value) && !Negative(next)
	case "h", "version":
		return last && value == ""
	}
	return false
}
