package sql

// Disguised reports whether a text begins as if it only read, and may do more: SELECT 1
// INTO x, SELECT 1; DROP TABLE x.
func Disguised(text string) bool {
	tokens, _ := scan(text)
	switch statement(tokens).at(0) {
	case "select", "with", "values", "table", "show", "explain", "describe", "desc", "(":
		return !OnlyReads(text)
	}
	return false
}
