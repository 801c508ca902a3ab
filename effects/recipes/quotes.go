package recipes

import (
	"strconv"
	"strings"
)

// CodeEnd returns the index behind the } that ends code in a string.
func CodeEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i + 1
			}
			depth--
		case '\'', '"':
			if n := strings.IndexByte(s[i+1:], s[i]); n >= 0 {
				i += n + 1
			}
		}
	}
	return len(s)
}

// CutBar cuts a line of an editor's commands at the first bar that is not in quotes.
func CutBar(line string) (one, behind string) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '|':
			return line[:i], line[i+1:]
		case '\'', '"':
			if n := strings.IndexByte(line[i+1:], line[i]); n >= 0 {
				i += n + 1
			}
		}
	}
	return line, ""
}

// EditorLanguage is the language of the code that a command of an editor runs: lua, py3,
// perldo.
func EditorLanguage(name string) string {
	if strings.HasPrefix(name, "pe") {
		return "perl"
	}
	return map[byte]string{'l': "lua", 'r': "ruby", 'p': "python"}[name[0]]
}

// BehindRange is a command of an editor without what says for which lines it is, and whether it
// is quiet: 1,$ 'a,'b /x/,/y/ g/x/ silent argdo.
func BehindRange(line string) string {
	for line = strings.TrimSpace(line); len(line) > 1; {
		rest := strings.TrimLeft(line, "0123456789,.$%:;+- \t\n")
		switch word, after, _ := strings.Cut(rest, " "); strings.TrimRight(word, "!") {
		case "sil", "silent", "argdo", "bufdo", "windo", "tabdo", "noa", "noautocmd", "keepj", "keepjumps", "keepa",
			"keepalt", "vert", "vertical":
			rest = after
		case "norm", "normal", "nmap", "nnoremap", "map", "noremap", "vmap", "vnoremap", "imap", "inoremap", "cmap", "cnoremap":
			if _, command, ok := strings.Cut(after, ":"); ok {
				rest = strings.ReplaceAll(command, "<CR>", "")
			}
		case "au", "autocmd": // an event, a pattern, and the command
			for range 2 {
				_, after, _ = strings.Cut(strings.TrimLeft(after, " "), " ")
			}
			rest = strings.TrimSpace(strings.NewReplacer("++once ", "", "++nested ", "", "nested ", "").Replace(after))
		}
		if len(rest) > 2 && strings.IndexByte("gv", rest[0]) >= 0 && strings.IndexByte("/#@", rest[1]) >= 0 {
			rest = rest[1:]
		}
		switch {
		case len(rest) > 1 && rest[0] == '\'': // a mark
			rest = rest[2:]
		case len(rest) > 1 && strings.IndexByte("/?#@", rest[0]) >= 0:
			if end := strings.IndexByte(rest[1:], rest[0]); end >= 0 {
				rest = rest[end+2:]
			}
		}
		if rest == line {
			break
		}
		line = rest
	}
	return line
}

// Braced is the code in front of the brace that ends it, open bytes from here;
// never nothing.
func Braced(s string, open int) (code string, n int) {
	n = CodeEnd(s[open:])
	if code = strings.TrimSuffix(s[open:open+n], "}"); code == "" {
		code = " "
	}
	return code, open + n
}

// Digits writes the character that has the number, in at most that many
// digits, and returns where they end.
func Digits(s string, from, most, base int, out *strings.Builder) int {
	to := from
	for to < len(s) && to < from+most {
		if _, err := strconv.ParseUint(s[to:to+1], base, 8); err != nil {
			break
		}
		to++
	}
	if to == from {
		out.WriteByte(s[1])
		return 2
	}
	n, _ := strconv.ParseUint(s[from:to], base, 32)
	out.WriteRune(rune(n))
	return to
}
