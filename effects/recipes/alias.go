package recipes

import "strings"

// SplitAlias cuts a line into words as git does for aliases.
func SplitAlias(line string) []string {
	var out []string
	var word strings.Builder
	quote, in := byte(0), false
	for i := 0; i < len(line); i++ {
		ch := line[i]
		switch {
		case quote == 0 && (ch == ' ' || ch == '\t' || ch == '\n'):
			if in {
				out = append(out, word.String())
				word.Reset()
			}
			in = false
			continue
		case quote == 0 && (ch == '\'' || ch == '"'):
			quote = ch
		case ch == quote:
			quote = 0
		case ch == '\\' && quote != '\'' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		default:
			word.WriteByte(ch)
		}
		in = true
	}
	if in {
		out = append(out, word.String())
	}
	return out
}
