package condition

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/handlers/rule"
)

// What the index of a plan knows of a condition: each term that must hold. A
// term that is not fully known is left out: otherwise the index could skip a rule that applies.
func TestTerms(t *testing.T) {
	eq, has, contains := match.Eq, match.Has, match.Contains
	need := func(field string, op match.Op, values ...string) match.Need {
		return match.Need{Field: field, Op: op, Values: values}
	}
	for _, c := range []struct {
		when  string
		needs []match.Need
		whole bool
	}{
		{`program == "git"`, []match.Need{need("program", eq, "git")}, true},
		{`"git" == program`, []match.Need{need("program", eq, "git")}, true},
		{`program in ["git", "hg"]`, []match.Need{need("program", eq, "git", "hg")}, true},
		{`program in ["git", host]`, nil, false},
		{`program in paths`, nil, false},
		{`prompt in ["x"]`, []match.Need{need("prompt", eq, "x")}, true},
		{`path in ["x"]`, nil, false},
		{`program == "git" && args.has("push")`, []match.Need{need("program", eq, "git"), need("args", has, "push")}, true},
		{`program == "git" and stop.active`, []match.Need{need("program", eq, "git")}, false},
		{`program == "git" || program == "hg"`, []match.Need{need("program", eq, "git", "hg")}, true},
		{`program == "git" || host == "x"`, nil, false},
		{`program == "git" || command contains "x"`, nil, false},
		{`program == "git" || stop.active`, nil, false},
		{`args.has(command) || args.has("x")`, nil, false},
		{`args.has("x") || args.has(command)`, nil, false},
		{`args.has("x", "y")`, []match.Need{need("args", has, "x", "y")}, true},
		{`args.starts("x")`, nil, false},
		{`command contains "x"`, []match.Need{need("command", contains, "x")}, true},
		{`"x" contains command`, nil, false},
		{`action.command contains "x"`, []match.Need{need("command", contains, "x")}, true},
		{`tool.name == "Bash"`, []match.Need{need("tool", eq, "Bash")}, true},
		{`tool.id == "x"`, nil, false},
		{`action.kind == "shell"`, []match.Need{need("action", eq, "shell")}, true},
		{`action.url == "x"`, nil, false},
		{`session.mode == "x"`, nil, false},
		{`input.name == "x"`, []match.Need{need("input.name", eq, "x")}, true},
		{`not (program == "git")`, nil, false},
		{`program != "git"`, nil, false},
		{`program == host`, nil, false},
		{`fields.command == "x"`, nil, false},
		{`fields.kind == "x"`, nil, false},
	} {
		r := rule.Config{Do: "deny", When: c.when}
		if err := Prepare(&r); err != nil {
			t.Errorf("%s: %v", c.when, err)
		} else if fmt.Sprint(r.Needs) != fmt.Sprint(c.needs) || r.Whole != c.whole {
			t.Errorf("%s: %v, whole %v; want %v, %v", c.when, r.Needs, r.Whole, c.needs, c.whole)
		}
	}
}

// A condition about a program is asked for each of a command line.
func TestAskedForEachProgram(t *testing.T) {
	for when, want := range map[string]bool{
		`program == "git"`: true, `args.has("x")`: true, `host == "x" && args.text contains "y"`: true,
		``: false, `host == "x"`: false, `command contains "git"`: false,
	} {
		r := rule.Config{Do: "deny", When: when}
		if err := Prepare(&r); err != nil || r.Each != want {
			t.Errorf("%s: %v, %v; want %v", when, r.Each, err, want)
		}
	}
}

// Terms that cannot hold together make a rule that never does.
func TestContradiction(t *testing.T) {
	for _, c := range []struct {
		when, want string
		programs   []string
	}{
		{`program == "git"`, "", nil},
		{`program == "git"`, "", []string{"hg", "git"}},
		{`program == "git"`, "", []string{"g*"}},
		{`program == "git"`, "program is hg in the match and git in the condition", []string{"hg"}},
		{`host == "git"`, "", []string{"hg"}},
		{`host == "a" && host == "b"`, "host cannot be both a and b", nil},
		{`host in ["a", "b"] && host in ["b", "c"]`, "", nil},
		{`host == "a" && event == "stop"`, "", nil},
		{`command contains "a" && command contains "b"`, "", nil},
		{`command contains "a" && command == "b"`, "", nil},
	} {
		r := rule.Config{Do: "deny", When: c.when}
		r.Match.Programs = c.programs
		if err := Prepare(&r); err != nil {
			t.Errorf("%s: %v", c.when, err)
		} else if got := Contradiction(&r); got != c.want {
			t.Errorf("%s with %s: %q, want %q", c.when, strings.Join(c.programs, " "), got, c.want)
		}
	}
}
