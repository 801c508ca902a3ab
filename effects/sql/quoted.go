package sql

import "strings"

// QuotedAfter is the text in quotes behind a word, "" if there is none.
func QuotedAfter(line, word string) string {
	i := strings.Index(strings.ToLower(line), word)
	if i < 0 {
		return ""
	}
	_, rest, _ := strings.Cut(line[i+len(word):], "'")
	text, _, ok := strings.Cut(rest, "'")
	if !ok {
		return ""
	}
	return text
}
