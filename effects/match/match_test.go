package match

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
)

func shellEvent(command string) *trammel.Event {
	return &trammel.Event{Tool: &trammel.ToolCall{Action: trammel.Action{Kind: trammel.ShellAction, Command: command}}}
}

func TestPrograms(t *testing.T) {
	c := &Spec{Programs: []string{"git", "terra*", "?g"}, Doubt: true}
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

// enforcement 5: a program that is named by a path is the one at that path.
func TestProgramsByPath(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		want       bool
	}{
		{"./deploy.sh", "./deploy.sh x", true},
		{"./deploy.sh", "cd sub && ../deploy.sh x", true},
		{"./deploy.sh", "/p/deploy.sh", true},
		{"./deploy.sh", "sub/deploy.sh", false},
		{"./deploy.sh", "deploy.sh", false},
		{"scripts/*.sh", "sudo ./scripts/x.sh --now", true},
		{"/usr/bin/git", "/usr/bin/git push", true},
		{"deploy.sh", "./deploy.sh x", true},
		{"Git.exe", "git push", true},
	} {
		ev := shellEvent(tc.line)
		ev.Session.Dir, ev.Session.Project = "/p", "/p"
		if got := (&Spec{Programs: []string{tc.name}}).Holds(ev); got != tc.want {
			t.Errorf("%s on %s: got %v, want %v", tc.name, tc.line, got, tc.want)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, tc := range []struct {
		globs []string
		path  string
		want  bool
	}{
		{[]string{"**/*.go"}, "/p/a/b.go", true},
		{[]string{"**/*.go"}, "/p/b.go", true},
		{[]string{"**/*.go"}, "/elsewhere/b.go", true},
		{[]string{"*.go"}, "/p/a/b/c.go", true},
		{[]string{"biome.json"}, "/p/a/biome.json", true},
		{[]string{"biome.json"}, "/p/a/biome.json5", false},
		{[]string{"src/*.go"}, "/p/src/a.go", true},
		{[]string{"./src/*.go"}, "/p/src/a.go", true},
		{[]string{"./a.go"}, "/p/a.go", true},
		{[]string{"src/*.go"}, "/p/x/../src/a.go", true},
		{[]string{"src/*.go"}, "/p/sub/src/a.go", false},
		{[]string{"src/**"}, "/src/a.go", false},
		{[]string{"/etc/**"}, "/etc/passwd", true},
		{[]string{"etc/**"}, "/etc/passwd", false},
		{[]string{"~/.ssh/**"}, "/home/me/.ssh/id", true},
		{[]string{"~/.ssh/**"}, "/home/me/.sshx/id", false},
		{[]string{"**/*.go", "!**/*_test.go"}, "/p/a_test.go", false},
		{[]string{"**/*.go", "!**/*_test.go"}, "/p/a.go", true},
		{[]string{"!vendor/**"}, "/p/vendor/a.go", false},
		{[]string{"!vendor/**"}, "/p/a.go", true},
		{[]string{"*.{js,ts}"}, "/p/a/b.ts", true},
		{[]string{"Biome.json"}, "/p/biome.JSON", false},
	} {
		if got := In(&world.Frozen{HomeDir: "/home/me"}, "/p").Match(tc.globs, tc.path); got != tc.want {
			t.Errorf("%v on %s: got %v, want %v", tc.globs, tc.path, got, tc.want)
		}
	}
	g := In(&world.Frozen{}, "/P")
	if g.folds = true; !g.Match([]string{"src/Biome.json"}, "/p/SRC/biome.JSON") {
		t.Error("case passes the guard where it does not count")
	}
}

// Patterns and trees meet a glob where they can mean one file.
func TestMeet(t *testing.T) {
	for _, tc := range []struct {
		pattern, glob string
		tree, want    bool
	}{
		{"/p/.e*", ".env*", false, true},
		{"/p/*", ".env*", false, false}, // a shell's * stands for no dot
		{"/p/*.txt", "*.env", false, false},
		{"/p/**/*", ".env*", false, true}, // find's does
		{"/p/db/*/1.sql", "db/migrations/**", false, true},
		{"/p/d?/m*/x", "db/migrations/**", false, true},
		{"/p/[ab]*/x", "c*/x", false, true}, // sets are taken for more than they mean
		{"/p/{a,b}.sql", "db/**", false, false},
		{"/p/db", "db/migrations/**", true, true},
		{"/p/db", "db/migrations/**", false, false},
		{"/p", "db/migrations/**", true, true},
		{"/", "db/*.sql", true, true},
		{"/p/d*", "db/migrations/**", true, true},
		{"/p/src", "db/migrations/**", true, false},
		{"/p/src", ".env*", true, false}, // a look at the names there decides
		{"/p", "src/**/x.go", true, false},
		{"/p/db/migrations", "db/migrations/**", false, true},
		{"/p/db/migrations/a/b", "db/migrations/**", false, true},
	} {
		if got := In(&world.Frozen{}, "/p").meets([]string{tc.glob}, tc.pattern, tc.tree); got != tc.want {
			t.Errorf("%s, %s, tree %v: got %v, want %v", tc.pattern, tc.glob, tc.tree, got, tc.want)
		}
	}
}

func TestPathsAreRelativeToWhereTheCallRuns(t *testing.T) {
	c := &Spec{Paths: []string{"sub/x.txt"}}
	ev := &trammel.Event{Session: trammel.Session{Dir: "/p/other", Project: "/p"},
		Tool: &trammel.ToolCall{Action: trammel.Action{Kind: trammel.ReadAction, Dir: "/p/sub", Paths: []string{"a", "x.txt"}}}}
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
		if got := (&Spec{Paths: globs}).String(); got != want {
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

func TestHosts(t *testing.T) {
	for _, tc := range []struct {
		want, host string
		is         bool
	}{
		{"example.com", "example.com", true}, {"example.com", "a.example.com", false}, {"*.example.com", "a.b.example.com", true},
		{"*.example.com", "example.com", false}, {".example.com", "example.com", true}, {".example.com", "a.example.com", true},
		{".example.com", "notexample.com", false}, {"Example.com", "EXAMPLE.com.", true},
		{"169.254.169.254", "2852039166", true}, {"169.254.169.254", "0xa9fea9fe", true}, {"169.254.169.254", "169.254.43518", true},
		{"10.*", "0xa.1", true}, {"127.0.0.1", "127.1", true}, {"1.2.3.4", "1.2.3.4.5", false}, {"1.2.3.4", "1.2.3.256", false},
		{"1.2.3.0", "1.2.3.256", false}, {"255.0.0.1", "255.1", true}, {"169.254.169.254", "0xa9.0xfe.0xa9.0xfe", true},
	} {
		if got := isHost([]string{tc.want}, tc.host); got != tc.is {
			t.Errorf("%s on %s: got %v", tc.want, tc.host, got)
		}
	}
	for _, bad := range []string{"", "https://x", "x:1", "a b", "["} {
		if CheckHost(bad) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
