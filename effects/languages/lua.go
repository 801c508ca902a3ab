package languages

import (
	_ "embed"

	"github.com/trammel-dev/trammel/effects/languages/within"
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
	escapes:   within.LuaEscape,
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
