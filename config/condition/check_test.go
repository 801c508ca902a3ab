package condition

import (
	"errors"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/handlers/rule"
)

func TestCheck(t *testing.T) {
	for when, want := range map[string]Error{
		`progam == "git"`:                   {Column: 1, Message: "there is no variable progam; did you mean program?"},
		`true && tool.nam == "x"`:           {Column: 14, Message: "tool has no field nam; did you mean name?"},
		`command + 1 == "x"`:                {Column: 9, Message: "+ does not work with text and a number"},
		`args.has(1)`:                       {Column: 10, Message: "found a number, and not text, as an argument of has"},
		`args.Has("x")`:                     {Column: 6, Message: "args has no function Has; did you mean has?"},
		`args.hass("x")`:                    {Column: 6, Message: "args has no function hass; did you mean has?"},
		`tool.zzzzz == "x"`:                 {Column: 6, Message: "tool has no field zzzzz", Expected: "one of name, id, output"},
		`zzzzz == "x"`:                      {Column: 1, Message: "there is no variable zzzzz", Expected: `"zzzzz" in quotes, if`},
		`program == terraform`:              {Column: 12, Expected: `"terraform" in quotes, if it is a text; or one of`},
		`lenn(command) > 1`:                 {Column: 1, Message: "there is no function lenn; did you mean len?"},
		`run("git")`:                        {Column: 1, Message: "there is no function run; did you mean runs?"},
		`any(effects.runs, .progam == "x")`: {Column: 20, Message: "an element of the list has no field progam; did you mean program?"},
		`command.foo == "x"`:                {Column: 9, Message: "command has no field foo"},
		`!command`:                          {Column: 1, Message: "! does not work with text"},
		`command[0] == 1`:                   {Column: 8, Message: "text has no elements"},
		`command`:                           {Column: 1, Message: "it is text", Expected: "a condition that is true or false"},
		`input.force`:                       {Column: 1, Message: "it is of a type that is known only at run time", Expected: "a condition"},
		`command contains`:                  {Column: 16, Message: "the expression ends too early"},
		`args.has("x") &&`:                  {Column: 16, Message: "the expression ends too early"},
		`host = "codex"`:                    {Column: 6, Message: "= does not compare; write =="},
		`host == "codex" command`:           {Column: 17, Message: "command cannot follow here; an operator"},
		`(host == "codex"`:                  {Column: 16, Message: "the expression ends too early"},
		`host == "codex")`:                  {Column: 16, Message: ") is not allowed here"},
		`host == "codex`:                    {Column: 15, Message: "the text is not closed"},
		`command matches "("`:               {Column: 9, Message: "error parsing regexp"},
		`now() == nil`:                      {Column: 1, Message: "there is no function now"},
		`$env.command == "x"`:               {Column: 1, Message: "$env is not available"},
		`"x" in $env`:                       {Column: 8, Message: "$env is not available"},
		`true || "` + strings.Repeat("x", 5000) + `" == ""`: {Column: 4097, Message: "it has", Expected: "at most 4096"},
		`event == "PreToolUse"`:                             {Column: 10, Message: `event is never "PreToolUse", expected "pre_tool_use"`},
		`"bash" == action.kind`:                             {Column: 1, Message: `action is never "bash"`},
		`true && action.kind in ["x", "read"]`:              {Column: 25, Message: `action is never "x"`},
		`Tick()`:                                            {Column: 1, Message: "there is no function Tick"},
	} {
		err := Prepare(&rule.Config{Do: "deny", When: when})
		e, ok := errors.AsType[*Error](err)
		if !ok {
			t.Errorf("%.40s: got %v", when, err)
			continue
		}
		if e.Where != "when" || e.Line != 1 || e.Column != want.Column || !strings.HasPrefix(e.Message, want.Message) &&
			!strings.Contains(e.Message, want.Message) || !strings.HasPrefix(e.Expected, want.Expected) {
			t.Errorf("%.40s: got %+v, want %+v", when, *e, want)
		}
	}
	for name, c := range map[string]rule.Config{
		"do":                              {Do: "denny"},
		"reason: column 10":               {Do: "deny", Reason: "x ${1 + + } y"},
		"reason: line 2, column 3: ${ is": {Do: "deny", Reason: "x\né ${host"},
		"text: line 2, column 12":         {Do: "context", Text: "x\n ${host} ${nope}"},
		"output: column 1":                {Do: "rewrite", Output: "nope"},
		"input.a: column 1":               {Do: "rewrite", Input: map[string]string{"a": "session"}},
		"text is missing":                 {Do: "context"},
		"text is for":                     {Do: "deny", Text: "x"},
		"reason is for":                   {Do: "context", Text: "t", Reason: "x"},
		"input or output":                 {Do: "rewrite"},
		"input and output":                {Do: "deny", Output: "host"},
		"findings.code":                   {Do: "deny", Finding: &rule.Finding{}},
		"unknown is":                      {Do: "deny", Unknown: "warn"},
	} {
		if err := Prepare(&c); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
