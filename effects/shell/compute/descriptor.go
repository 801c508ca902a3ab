package compute

import "strings"

// Descriptor returns the number of the descriptor that a path names: /dev/fd/3,
// /proc/self/fd/3, /proc/$$/fd/3, /dev/stdin.
func Descriptor(path string) (number string, ok bool) {
	switch path {
	case "/dev/stdin":
		return "0", true
	case "/dev/stdout":
		return "1", true
	case "/dev/stderr":
		return "2", true
	}
	number, ok = strings.CutPrefix(path, "/dev/fd/")
	if rest, of := strings.CutPrefix(path, "/proc/"); of {
		_, number, ok = strings.Cut(rest, "/fd/")
	}
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
		return "", false
	}
	return number, true
}
