package sql

import "strings"

// Place is a file, a URL or a variable of the environment that a statement of DuckDB
// names.
type Place struct {
	Text  string
	Verb  string // how it is used: read, write, attach, load or env
	Whole bool   // Text is all of the name
}

// Places finds what DuckDB reads and writes: FROM 'file', read_csv('file'), COPY … TO
// 'file', ATTACH 'file', getenv('NAME'). Any other text that looks like a path may be
// handed to what reads it, and counts as read.
func Places(text string) []Place {
	var out []Place
	word := ""                                   // the word before, or the function whose brackets these are
	literal, joined, part := false, false, false // what is before is a text, a text and ||, something else and ||
	for i := 0; i < len(text); {
		rest := text[i:]
		if n := skipped(rest); n > 0 {
			i += n
			continue
		}
		if name, n := literalOf(rest); n > 0 {
			if joined {
				out[len(out)-1].Text += name
			} else {
				out = append(out, Place{Text: name, Verb: verbOf(word), Whole: !part})
			}
			literal, joined, part, i = true, false, false, i+n
			continue
		}
		if strings.HasPrefix(rest, "||") {
			joined, part, literal, i = literal, !literal, false, i+2
			continue
		}
		if joined { // 'a' || b
			out[len(out)-1].Whole = false
		}
		literal, joined = false, false
		n := span(rest, func(c byte) bool { return letter(c) || digit(c) })
		switch {
		case n > 0:
			word, part = strings.ToLower(rest[:n]), false
		case strings.IndexByte("([,", rest[0]) < 0:
			word, n = "", 1
		default:
			n = 1
		}
		i += n
	}
	kept := out[:0]
	for _, p := range out {
		if p.Verb == "" && looksLikePath(p.Text) {
			p.Verb = "read"
		}
		if p.Verb != "" && p.Text != "" {
			kept = append(kept, p)
		}
	}
	return kept
}

// skipped is how long the white space or the comment is that a text begins with.
func skipped(text string) int {
	end := ""
	switch {
	case strings.HasPrefix(text, "--"):
		end = "\n"
	case strings.HasPrefix(text, "/*"):
		end = "*/"
	default:
		return len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	}
	if at := strings.Index(text[2:], end); at >= 0 {
		return 2 + at + len(end)
	}
	return len(text)
}

// literalOf is the text in quotes that a text begins with, and how long it is with them:
// 'a', "a", $$a$$, $x$a$x$.
func literalOf(text string) (name string, n int) {
	mark := text[:1]
	switch mark {
	case "'", `"`:
	case "$":
		end := strings.IndexByte(text[1:], '$')
		if end < 0 || strings.TrimFunc(text[1:1+end], func(r rune) bool { return r >= 0x80 || letter(byte(r)) || digit(byte(r)) }) != "" {
			return "", 0
		}
		mark = text[:end+2]
	default:
		return "", 0
	}
	end := strings.Index(text[len(mark):], mark)
	if end < 0 {
		return "", 0
	}
	return text[len(mark) : len(mark)+end], end + 2*len(mark)
}

// looksLikePath tells a path from a format, a pattern of LIKE or a separator.
func looksLikePath(text string) bool {
	return len(text) > 2 && !strings.ContainsAny(text, "% ") && (strings.IndexByte(text, '/') >= 0 || text[0] == '.' || text[0] == '~')
}

// verbOf is what DuckDB does with the text behind a word or in the brackets of a function.
func verbOf(word string) string {
	switch word {
	case "from", "join", "glob", "sniff_csv", "st_read":
		return "read"
	case "to":
		return "write"
	case "attach", "database", "exists":
		return "attach"
	case "load", "install":
		return "load"
	case "getenv":
		return "env"
	}
	if strings.HasPrefix(word, "read_") || strings.HasPrefix(word, "parquet_") || strings.HasSuffix(word, "_scan") {
		return "read"
	}
	return ""
}
