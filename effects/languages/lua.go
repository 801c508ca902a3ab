package languages

import (
	_ "embed"

	"github.com/trammel-dev/trammel/effects/languages/lex"
)

//go:embed calls/lua.txt
var luaCalls string

var lua = Language{
	Syntax:    &lex.Lua,
	name:      "lua",
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
