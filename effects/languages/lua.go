package languages

import (
	"strings"
)

var lua = Language{
	name:      "lua",
	comments:  "--",
	blocks:    "--[[ ]]",
	marks:     "... ..",
	backtick:  commandToken,
	special:   luaLong,
	escapes:   luaEscape,
	callsAny:  true,
	joins:     "..",
	members:   " . ?. -> :: : ",
	continues: " . ?. : ",
	bareCalls: "\"",
	prefixes:  " return not new ",
	operators: " or and in is not ",
	functions: " function ",
	keywords:  " for:loop local:skip ",
	values:    " vim.env:env ",
	scopes:    " _G _ENV ",
	loop:      (*walker).loopIn,
	calls: []module{
		{" os ", `
remove | delete 0
rename | move 0 1
execute | run 0
getenv | env 0
`},
		{" io ", `
open | open 0 1
popen | run 0
lines input | read 0
output | write 0
`},
		{" vim vim.fn ", `
system systemlist jobstart termopen | run 0
delete | delete 0
writefile | write 1
readfile | read 0
`},
		{" lfs ", `
rmdir | delete 0
mkdir | append 0
dir | list 0
chdir | cd 0
`},
		{" package ", "\nloadlib | doubt 0\n"},
		{" string ", `
char | chars *
lower | lower 0
upper | upper 0
reverse | reverse 0
format | sprintf 0 1*
`},
		{" table ", "\nconcat | implode 0 1=\n"},
		{" socket ", "\nconnect | dial 0 1\n"},
		{" socket.http http ", "\nrequest | visit 0:url ?1\n"},
		{" ", `
dofile loadfile | load 0
load loadstring | eval 0
require | module 0
ipairs pairs tostring | same 0
`},
	},
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
		return digits(s, 1, 3, 10, out)
	case b == 'z':
		return len(s) - len(strings.TrimLeft(s[2:], " \t\r\n"))
	}
	return 0
}
