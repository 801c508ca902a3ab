package lex

import "github.com/trammel-dev/trammel/effects/languages/within"

// Lua is the syntax of Lua.
var Lua = Syntax{
	comments: "--",
	blocks:   "--[[ ]]",
	marks:    "... ..",
	backtick: Command,
	special:  luaLong,
	escapes:  within.LuaEscape,
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
	l.add(Text, body, pos)
	return true
}
