package compute

import (
	"strings"
)

// SplitWindows splits at ; | & and newlines outside of quotes.
func SplitWindows(text string) []string {
	var out []string
	quote, from := byte(0), 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte(";|&\n{}()", c) >= 0:
			out = append(out, text[from:i])
			from = i + 1
		}
	}
	return append(out, text[from:])
}

// WindowsWords are the words of a command of PowerShell or cmd.
func WindowsWords(command string) []Word {
	var out []Word
	var cur strings.Builder
	quote, any := byte(0), false
	flush := func() {
		if any {
			t := cur.String()
			out = append(out, Word{Text: t, Known: !strings.ContainsAny(t, "$%"), Glob: strings.ContainsAny(t, "*?")})
		}
		cur.Reset()
		any = false
	}
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, any = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\r'):
			flush()
		case c == '^' && quote == 0 || c == '`':
		default:
			cur.WriteByte(c)
			any = true
		}
	}
	flush()
	return out
}
