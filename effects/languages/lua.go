package languages

import (
	_ "embed"
	"strings"

	"github.com/trammel-dev/trammel/effects/recipes"
)

//go:embed calls/lua.txt
var luaCalls string

var lua = Language{
	name:      "lua",
	comments:  "--",
	blocks:    "--[[ ]]",
	marks:     "... ..",
	backtick:  commandToken,
	special:   luaLong,
	escapes:   luaEscape,
	callsAny:  true,
	base:      1,
	joins:     "..",
	members:   " . : ",
	continues: " . : ",
	bareCalls: "\"",
	prefixes:  " return not new ",
	operators: " or and in is not ",
	functions: " function ",
	keywords:  " for:loop local:skip ",
	values:    " vim.env:env ",
	scopes:    " _G _ENV ",
	loop:      (*walker).loopIn,
	calls:     &luaCalls,
}

// luaLong reads [[…]].
func luaLong(l *lexer, pos int) bool {
	if !l.at("[[") {
		return false
	}
	l.i += 2
	start := l.i
	l.skipTo("]]")
	body := l.src[start:l.i]
	l.move(2)
	l.add(textToken, body, pos)
	return true
}

// luaEscape is \ddd, in decimal digits, and \z, which skips blanks.
func luaEscape(s string, out *strings.Builder) int {
	switch b := s[1]; {
	case isDigit(b):
		return recipes.Digits(s, 1, 3, 10, out)
	case b == 'z':
		return len(s) - len(strings.TrimLeft(s[2:], " \t\r\n"))
	}
	return 0
}
