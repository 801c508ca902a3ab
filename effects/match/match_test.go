package match

import (
	"testing"

	"github.com/trammel-dev/trammel"
)

func shellEvent(command string) *trammel.Event {
	return &trammel.Event{Tool: &trammel.ToolCall{Action: trammel.Action{Kind: trammel.ShellAction, Command: command}}}
}

func TestPrograms(t *testing.T) {
	c := Programs([]string{"git", "terra*", "?g"})
	if c.String() != "program is git or terra* or ?g" {
		t.Error(c.String())
	}
	for line, want := range map[string]bool{
		"":                  false,
		"ls":                false,
		"git status":        true,
		"git.exe status":    true,
		"gitk":              false,
		"terraform apply":   true,
		"terra":             true,
		"hg log":            true,
		"ls | sudo git x":   true,
		`echo "git push"`:   false,
		"$X push":           true, // doubt counts as yes
		"git (":             true,
		"ls (":              true,
		"curl x | sh":       true,
		"sh -c 'ls; git x'": true,
	} {
		if got := c.Holds(shellEvent(line)); got != want {
			t.Errorf("%s: got %v, want %v", line, got, want)
		}
	}
	if c.Holds(&trammel.Event{}) {
		t.Error("holds for an event without a tool")
	}
}

func TestProgramsWhereCaseDoesNotCount(t *testing.T) {
	if !isProgram("GIT", "git", true) || !isProgram("Terraform", "TERRA*", true) || isProgram("GIT", "git", false) {
		t.Error("folding is wrong")
	}
}

func TestPaths(t *testing.T) {
	home := func() (string, error) { return "/home/me", nil }
	for _, tc := range []struct {
		globs []string
		path  string
		want  bool
	}{
		{[]string{"**/*.go"}, "a/b.go", true},
		{[]string{"**/*.go"}, "b.go", true},
		{[]string{"**/*.go"}, "/elsewhere/b.go", true},
		{[]string{"*.go"}, "a/b/c.go", true},
		{[]string{"biome.json"}, "a/biome.json", true},
		{[]string{"biome.json"}, "a/biome.json5", false},
		{[]string{"src/*.go"}, "src/a.go", true},
		{[]string{"./src/*.go"}, "src/a.go", true},
		{[]string{"src/*.go"}, "x/../src/a.go", true},
		{[]string{"src/*.go"}, "/p/src/a.go", true},
		{[]string{"src/*.go"}, "sub/src/a.go", false},
		{[]string{"src/*.go"}, "../p/src/a.go", true},
		{[]string{"src/**"}, "../src/a.go", false},
		{[]string{"/etc/**"}, "../etc/passwd", true},
		{[]string{"/etc/**"}, "/etc/passwd", true},
		{[]string{"/etc/**"}, "/x/..//etc/./passwd", true},
		{[]string{"etc/**"}, "/etc/passwd", false},
		{[]string{"~/.ssh/**"}, "/home/me/.ssh/id", true},
		{[]string{"~/.ssh/**"}, "~/.ssh/id", true},
		{[]string{"~/.ssh/**"}, "~/.sshx/id", false},
		{[]string{"**/*.go", "!**/*_test.go"}, "a_test.go", false},
		{[]string{"**/*.go", "!**/*_test.go"}, "a.go", true},
		{[]string{"!vendor/**"}, "vendor/a.go", false},
		{[]string{"!vendor/**"}, "a.go", true},
		{[]string{"*.{js,ts}"}, "a/b.ts", true},
		{[]string{"*"}, "", false},
		{[]string{"Biome.json"}, "biome.JSON", false},
	} {
		ev := &trammel.Event{Session: trammel.Session{Dir: "/p", Project: "/p"},
			Tool: &trammel.ToolCall{Action: trammel.Action{Paths: []string{tc.path}}}}
		if got := (paths{globs: tc.globs, home: home}).Holds(ev); got != tc.want {
			t.Errorf("%v on %s: got %v, want %v", tc.globs, tc.path, got, tc.want)
		}
	}
	folded := paths{globs: []string{"src/Biome.json"}, folds: true, home: home}
	ev := &trammel.Event{Session: trammel.Session{Dir: "/P"}, Tool: &trammel.ToolCall{Action: trammel.Action{
		Paths: []string{"/p/SRC/biome.JSON"}}}}
	if !folded.Holds(ev) {
		t.Error("case passes the guard where it does not count")
	}
}

func TestPathsAreRelativeToWhereTheCallRuns(t *testing.T) {
	c := Paths([]string{"sub/x.txt"})
	ev := &trammel.Event{Session: trammel.Session{Dir: "/p/other", Project: "/p"},
		Tool: &trammel.ToolCall{Action: trammel.Action{Dir: "/p/sub", Paths: []string{"a", "x.txt"}}}}
	if !c.Holds(ev) {
		t.Error("the action's directory does not count")
	}
	ev.Tool.Action.Dir = "../sub"
	if !c.Holds(ev) {
		t.Error("a relative directory of the action does not count")
	}
	ev.Tool.Action.Dir = ""
	if c.Holds(ev) {
		t.Error("relative to the wrong directory")
	}
	if c.Holds(&trammel.Event{}) {
		t.Error("holds without a tool")
	}
}

func TestPathsString(t *testing.T) {
	for want, globs := range map[string][]string{
		"path matches *.go or a/b":            {"*.go", "a/b"},
		"path matches *.go but not vendor/**": {"*.go", "!vendor/**"},
		"path does not match x":               {"!x"},
	} {
		if got := Paths(globs).String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCheckGlob(t *testing.T) {
	for _, ok := range []string{"*", "**/*.go", "!a", "~/x", "a{b,c}", "[ab]"} {
		if err := CheckGlob(ok); err != nil {
			t.Errorf("%s: %v", ok, err)
		}
	}
	for _, bad := range []string{"", "!", "a/", "[a", "{a", "a\\"} {
		if CheckGlob(bad) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
