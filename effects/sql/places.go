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
// 'file', ATTACH 'file', getenv('NAME'). A name that is put together counts as a file,
// too.
func Places(text string) (out []Place) {
	word, begin := "", -1 // the word before, and where one begins
	for i := 0; i <= len(text); i++ {
		c := byte(' ')
		if i < len(text) {
			c = text[i]
		}
		if c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' {
			if begin < 0 {
				begin = i
			}
			continue
		}
		if begin >= 0 {
			word, begin = strings.ToLower(text[begin:i]), -1
		}
		switch c {
		case ' ', '\t', '\n', '\r', '(', '[', ',':
		case '\'', '"':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return out
			}
			name, rest := text[i+1:i+1+end], strings.TrimSpace(text[i+end+2:])
			i += end + 1
			if verb := verbOf(word); verb != "" && name != "" {
				out = append(out, Place{Text: name, Verb: verb, Whole: word != "||" && !strings.HasPrefix(rest, "||")})
			}
		case '|':
			word = "||"
		default:
			word = ""
		}
	}
	return out
}

// verbOf is what DuckDB does with the text behind a word or in the brackets of a function.
func verbOf(word string) string {
	switch word {
	case "from", "join", "glob", "sniff_csv", "||", "st_read", "concat", "concat_ws", "format", "printf":
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
