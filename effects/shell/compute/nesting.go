package compute

import "strings"

// Limits for the input of a recursive parser.
const (
	maxNesting  = 256   // brackets within brackets
	maxBrackets = 20000 // opening brackets in all
	maxKeywords = 8000  // words that may open a compound command
)

// TooNested protects the recursive parser from exhausting the stack. It also
// counts brackets in quotes, so it may refuse a text that could be parsed.
func TooNested(src string) bool {
	if len(src) > maxKeywords {
		keywords := 0
		for _, word := range [...]string{"if", "for", "case", "time", "while", "until", "select", "coproc"} {
			keywords += strings.Count(src, word)
		}
		if keywords > maxKeywords {
			return true
		}
	}
	depth, all := 0, 0
	for i := range len(src) {
		switch src[i] {
		case '(', '{', '[':
			depth++
			all++
			if depth > maxNesting || all > maxBrackets {
				return true
			}
		case ')', '}', ']':
			depth = max(depth-1, 0)
		}
	}
	return false
}
