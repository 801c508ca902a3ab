package condition

import (
	"reflect"
	"strings"
	"testing"
)

// What conditions cannot be made of is refused where it is compiled, and the
// message says what to write instead.
func TestRefusals(t *testing.T) {
	for source, want := range map[string]string{
		`input.s == b"x"`:                     `there are no bytes to compare with, expected text: "x"`,
		`map(paths, runs)`:                    "runs is a function, expected a call of it: runs(…)",
		`let f = args.has; f("x")`:            "has is a function, expected a call of it: has(…)",
		`input.f("x")`:                        "this is not a function, expected one of the functions there are",
		`string(session)`:                     "it has fields, expected one of them: id, dir",
		`toJSON(effects.files)`:               "its items have fields, expected one of the fields of each: map(…, .op)",
		`type(commands)`:                      "its items have fields, expected one of the fields of each: map(…, .program)",
		`commands[0] == commands[1]`:          "it has fields, expected one of them: program, args",
		`input.s in commands`:                 "its items have fields, expected one of the fields of each: map(…, .program)",
		`any(commands, # != effects.runs[0])`: "it has fields",
		`"id" in session`:                     "it has fields, expected one of them: id",
	} {
		if node, err := compile(source, reflect.Invalid); err == nil {
			t.Errorf("%s: taken as %s", source, node)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", source, err, want)
		}
	}
}
