package sql

// Disguised reports whether a text begins as if it only read, and may do more: SELECT 1
// INTO x, SELECT 1; DROP TABLE x. What cannot be read to its end may do more.
func Disguised(text string) bool {
	s := scanner{text: text}
	for len(s.tokens) == 0 && s.at < len(text) && s.next() {
	}
	switch statement(s.tokens).at(0) {
	case "select", "with", "values", "table", "show", "explain", "describe", "desc", "(":
		return !OnlyReads(text)
	}
	return false
}
