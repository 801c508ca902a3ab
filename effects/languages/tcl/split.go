package tcl

import "strings"

// split cuts the first command off a text, as words: in braces, in brackets, in
// quotes, or up to a blank. What is not closed ends with the text.
func split(text string) (words []string, rest string) {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\n' || c == ';':
			if len(words) > 0 {
				return words, text[i+1:]
			}
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '\\' && strings.HasPrefix(text[i:], "\\\n"):
			i += 2
		case c == '#' && len(words) == 0:
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return nil, ""
			}
			i += end
		default:
			n := length(text[i:])
			words = append(words, text[i:i+n])
			i += n
		}
	}
	return words, ""
}

// length is that of the word which a text begins with.
func length(text string) int {
	depth, quoted := 0, text[0] == '"'
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth < 0 {
				return max(i, 1)
			}
			if depth == 0 && !quoted && i+1 < len(text) && strings.IndexByte(" \t\r\n;]}", text[i+1]) >= 0 {
				return i + 1
			}
		case depth > 0:
		case quoted:
			if c == '"' && i > 0 {
				return i + 1
			}
		case strings.IndexByte(" \t\r\n;", c) >= 0:
			return i
		}
	}
	return len(text)
}
