package lex

import "github.com/trammel-dev/trammel/effects/languages/within"

// PHP is the syntax of PHP.
var PHP = Syntax{
	comments:  "//",
	blocks:    "/* */",
	marks:     "?-> ...",
	rawQuotes: true,
	backtick:  Command,
	heredoc:   "<<<",
	special:   phpSpecial,
	embedded:  within.PHP,
}

// phpSpecial reads the tags around code, comments with # and variables.
func phpSpecial(l *lexer, pos int) bool {
	switch {
	case l.at("<?"):
		l.i += 2
		if l.at("php") {
			l.i += 3
		}
	case l.at("?>"):
		l.skipTo("<?")
	case l.at("#") && !l.at("#["):
		l.skipTo("\n")
	case l.at("$"):
		if !l.dollars(pos) {
			l.word()
			l.add(Name, l.src[pos:l.i], pos)
		}
	default:
		return false
	}
	return true
}
