package compute

import (
	"strings"
)

// Unexpanded is the source of a word without its quotes, with a hole in place
// of each expansion. A word that is quoted as a whole comes without its quotes.
func Unexpanded(source, hole string) string {
	var b strings.Builder
	quote := byte('"')
	if source[0] == '\'' || source[0] == '"' {
		quote = 0
	}
	whole := quote != 0
	for i := 0; i < len(source); i++ {
		switch ch := source[i]; {
		case quote == '\'':
			if ch == '\'' {
				quote = 0
				continue
			}
			b.WriteByte(ch)
		case ch == '\'' && quote == 0:
			quote = ch
		case ch == '"' && !whole:
			quote ^= '"'
		case ch == '\\' && i+1 < len(source):
			i++
			if quote == '"' && strings.IndexByte("$`\"\\\n", source[i]) < 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(source[i])
		case ch == '`':
			b.WriteString(hole)
			if n := strings.IndexByte(source[i+1:], '`'); n >= 0 {
				i += n + 1
			}
		case ch == '$' && i+1 < len(source):
			n := expansionLength(source[i:])
			if n == 0 {
				b.WriteByte(ch)
				continue
			}
			b.WriteString(hole)
			i += n - 1
		default:
			b.WriteByte(ch)
		}
	}
	return b.String()
}

// expansionLength is the length of $x, ${x} or $(x).
func expansionLength(s string) int {
	open := s[1]
	if open != '(' && open != '{' {
		n := 1
		for n < len(s) && isNameByte(s[n]) && s[n] < 0x80 {
			n++
		}
		if n == 1 && strings.IndexByte("@*#?!$-", open) >= 0 {
			n = 2
		}
		if n == 1 {
			return 0
		}
		return n
	}
	depth := 0
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case open:
			depth++
		case closing(open):
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

func isNameByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80
}

func closing(open byte) byte { return ")}"[strings.IndexByte("({", open)] }
