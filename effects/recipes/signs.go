package recipes

import (
	"slices"
	"strings"
)

// WritesFiles reports whether a text of any language writes some file.
func WritesFiles(text string) bool {
	return Mentions(strings.ToLower(text), "write", "save", "download", "o_creat", "content", "\"w\"", "'w'", "\"a\"", "append", "dump")
}

// Controlled reports whether a text takes lines from a host and runs them.
func Controlled(text string) bool {
	return Mentions(text, "socket", "Socket", "connect(") &&
		Mentions(text, "receive", "gets ", "readline", "recv", "read_line", "accept", "readLine") &&
		Mentions(text, "popen", "exec", "eval", "system", "run(", "spawn", "Process")
}

// Mentions reports whether one of several signs stands in a text.
func Mentions(text string, signs ...string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(text, sign) })
}

// ReachesOut reports whether a text names something outside of the project.
func ReachesOut(text string) bool {
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, `"'`)
		if strings.HasPrefix(word, "/") && !strings.HasPrefix(word, "/tmp/") || strings.HasPrefix(word, "~") ||
			strings.HasPrefix(word, "$HOME") ||
			strings.HasPrefix(word, "${HOME") || strings.HasPrefix(word, "..") {
			return true
		}
	}
	return false
}
