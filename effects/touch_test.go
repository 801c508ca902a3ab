package effects

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/test/testfile"
)

// tree makes files and returns the directory they are in.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		testfile.Write(t, filepath.Join(root, f), "", 0o644)
	}
	return root
}

func spellings(p Path) []string {
	return NewTouch(&trammel.Event{}, Read, p, false).Names()
}

func TestTail(t *testing.T) {
	root := tree(t, ".claude/settings.json", "x/.git/hooks/pre-commit", "flow/a/state.json")
	for _, c := range []struct {
		tail Tail
		op   model.Op
		path string
		tree bool
		want bool
	}{
		{".claude/settings.json", Write, "/p/.claude/settings.json", false, true},
		{".claude/settings.json", Write, "/p/.CLAUDE/Settings.JSON", false, true},
		{".claude/settings.json", Write, "/p/x.claude/settings.json", false, false},
		{".claude/settings.json", Write, "/settings.json", false, false},
		{".claude/settings.json", Write, "/p/.claude/settings.json/x", false, false},
		{".git/hooks/**", Write, "/p/.git/hooks/a/b", false, true},
		{".git/hooks/**", Delete, "/p/.git/hooks", true, true},
		{".git/hooks/**", Write, "/p/.git/hooksx/a", false, false},
		{"flow/*/state.json", Write, "/p/flow/a/state.json", false, true},
		{"flow/*/state.json", Write, "/p/flow/a/b/state.json", false, false},
		{"flow/*/state.json", Delete, root + "/flow", true, true},
		{"flow/*/state.json", Move, root + "/flow/a", false, true},
		{"flow/*/state.json", Write, root + "/flow/a", false, false},
		{"flow/*/state.json", Delete, root + "/flow/b", true, false},
		{"flow/*/state.json", Delete, root, true, false},
		{".git/hooks/**", Delete, root + "/x/.git", true, true},
		{".claude/settings.json", Mode, root + "/.claude", true, true},
		{".claude/settings.json", Mode, root + "/.claude", false, false},
	} {
		touch := NewTouch(&trammel.Event{}, c.op, Path{Text: c.path, Abs: c.path, Real: c.path}, c.tree)
		if _, got := c.tail.Touched(touch); got != c.want {
			t.Errorf("%s: %v %s: got %v, want %v", c.tail, c.op, c.path, got, c.want)
		}
	}
	for text, want := range map[string]bool{"$D/.claude/settings.json": true, ".claude/settings.json": true, `"$X"/settings.json`: false,
		"": false, "settings.json": false} {
		if got := Tail(".claude/settings.json").Ends(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	root := tree(t, "a/x.json", "a/.hidden.json", "b/y.json", "b/c/z.json")
	if err := os.Symlink(filepath.Join(root, "b/y.json"), filepath.Join(root, "a/link.json")); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{
		"a/*.json":       "a/link.json a/x.json b/y.json",
		"a/.h*":          "a/.hidden.json",
		"*/[xy].json":    "a/x.json b/y.json",
		"**/*.json":      "a/.hidden.json a/link.json a/x.json b/c/z.json b/y.json b/y.json",
		"b/**":           "b/c b/c/z.json b/y.json",
		"nowhere/*.json": "",
		"a/[":            "",
	} {
		got := spellings(Path{Abs: root + "/" + pattern, Glob: true})
		if len(got) == 0 || got[0] != root+"/"+pattern {
			t.Fatalf("%s: the pattern is not among %v", pattern, got)
		}
		var rest []string
		for _, name := range got[1:] {
			rest = append(rest, strings.TrimPrefix(name, root+"/"))
		}
		slices.Sort(rest)
		if strings.Join(rest, " ") != want {
			t.Errorf("%s: got %v, want %s", pattern, rest, want)
		}
	}
	if got := spellings(Path{Text: "$x"}); got != nil {
		t.Errorf("an unknown place has names: %v", got)
	}
	if got := spellings(Path{Abs: "/a", Real: "/b"}); len(got) != 2 {
		t.Errorf("got %v", got)
	}
}

// A pattern over a large tree is given up on soon.
func TestBounded(t *testing.T) {
	root := tree(t)
	for i := range 60 {
		for k := range 100 {
			dir := filepath.Join(root, fmt.Sprint(i))
			if k == 0 {
				os.Mkdir(dir, 0o755)
			}
			os.WriteFile(filepath.Join(dir, fmt.Sprint(k)), nil, 0o644)
		}
	}
	start := time.Now()
	if n := len(spellings(Path{Abs: root + "/**/*", Glob: true})); n > 3*2048 {
		t.Errorf("%d names", n)
	}
	if _, found, _ := (&paths.Search{World: world.System{}}).Inside(root, func(string) bool { return false }); found {
		t.Error("found nothing")
	}
	spellings(Path{Abs: "/**/**/**/**/x", Glob: true})
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestTouches(t *testing.T) {
	for _, c := range []struct {
		call trammel.ToolCall
		want string
	}{
		{trammel.ToolCall{Name: "Bash", Action: trammel.Action{Kind: trammel.ShellAction, Command: "mv /x/a /x/b; cat /x/c"}},
			"move /x/a,write /x/b,write /x/b,read /x/c"},
		{trammel.ToolCall{Name: "Bash", Action: trammel.Action{Kind: trammel.ShellAction, Command: "ln -s /etc l; rm l/hosts"}},
			"link /etc,write /x/l,write /x/l,delete /x/l/hosts,delete /etc/hosts"},
		{trammel.ToolCall{Name: "frobnicate", Action: trammel.Action{Paths: []string{"/x/a"}}}, "read /x/a,write /x/a"},
		{trammel.ToolCall{Name: "mcp__fs__readFile", Action: trammel.Action{Kind: trammel.MCPAction, Server: "fs", Tool: "readFile",
			Paths: []string{"/x/a"}}}, "read /x/a"},
		{trammel.ToolCall{Name: "mcp__fs__read_and_delete", Action: trammel.Action{Kind: trammel.MCPAction, Server: "fs",
			Tool: "read_and_delete", Paths: []string{"/x/a"}}}, "delete /x/a"},
		{trammel.ToolCall{Name: "Write", Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{"/x/a"}}}, "write /x/a"},
	} {
		ev := &trammel.Event{Session: trammel.Session{Dir: "/x"}, Tool: &c.call}
		var got []string
		for _, touch := range Touches(ev) {
			got = append(got, touch.Op.String()+" "+cmp.Or(touch.Path.Abs, touch.Path.Text))
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s %s: got %q, want %q", c.call.Name, c.call.Action.Command, strings.Join(got, ","), c.want)
		}
		for range Touches(ev) {
			break
		}
	}
}

func TestModes(t *testing.T) {
	for mode, want := range map[string]bool{"644": true, "0755": true, "u+rwX": true, "go-w": true, "+x": true, "a-x": true,
		"u=rwX,go=rX": true, "o=": true,
		"000": false, "0300": false, "a-r": false, "u-rw": false, "-r": false, "=": false, "u=": false, "u=x": false, "x": false, "": false} {
		if got := modeKeepsReading(mode); got != want {
			t.Errorf("%s: got %v", mode, got)
		}
	}
	for command, want := range map[string]string{
		"chmod -R 755 /x/a": "mode /x/a true", "chmod 000 /x/a": "mode /x/a false", "chmod -r /x/a": "mode /x/a false",
		"chmod $M /x/a": "mode /x/a false", "chown me /x/a": "mode /x/a true",
		"find /x/a -empty -delete": "", "find /x/a -type d -delete": "",
	} {
		ev := &trammel.Event{Session: trammel.Session{Dir: "/x"}, Tool: &trammel.ToolCall{Action: trammel.Action{Kind: trammel.ShellAction,
			Command: command}}}
		got := ""
		for _, touch := range Touches(ev) {
			if touch.Changes() {
				got = fmt.Sprint(touch.Op, " ", touch.Path.Abs, " ", touch.Readable)
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for command, want := range map[string]string{
		"somebody a | xargs rm b":              "b rm b a",
		"rm $(ls c)":                           "$(ls c) c",
		"grep x d | xargs rm":                  "rm x d",
		"find . -name a | xargs sed -i s/k/v/": "sed -i s/k/v/ . -name a",
		"cat list | sed -i s/k/v/ $x":          "list",
	} {
		ev := &trammel.Event{Session: trammel.Session{Dir: "/x"}, Tool: &trammel.ToolCall{Action: trammel.Action{Kind: trammel.ShellAction,
			Command: command}}}
		s := Of(ev)
		if got := strings.Join(slices.Collect(Words(s, len(s.Runs)-1)), " "); got != want {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
		for range Words(s, 0) {
			break
		}
	}
}

// A directory that somebody has filled does not hide what a pattern picks in it.
func TestCrowdedDirectory(t *testing.T) {
	dir := t.TempDir()
	for i := range 2000 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.txt", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	want := filepath.ToSlash(filepath.Join(dir, ".claude"))
	if names := spellings(Path{Abs: filepath.ToSlash(dir) + "/.c*", Glob: true}); !slices.Contains(names, want) {
		t.Errorf("%v lacks %s", names, want)
	}
}

// A pattern that matches more than is listed still stands for the one place
// that matters.
func TestAPatternOverMuchMeansTheRest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".claude")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 3 * 2048 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("a%04d", i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	listed, err := f.Readdirnames(-1) // in the order in which they are looked at
	if err != nil {
		t.Fatal(err)
	}
	last := listed[len(listed)-1]
	for _, c := range []struct {
		place, pattern string
		want           bool
	}{
		{last, dir + "/*", true}, {last, filepath.Dir(dir) + "/.c*/*", true}, {last, dir + "/b*", false}, {"missing", dir + "/*", false},
	} {
		for _, op := range []model.Op{Delete, Write} {
			_, got := Tail(".claude/" + c.place).Touched(NewTouch(&trammel.Event{}, op, Path{Text: c.pattern, Abs: filepath.ToSlash(c.pattern),
				Glob: true}, false))
			if got != c.want {
				t.Errorf("%s of %s: %s touched %v, want %v", op, c.pattern, c.place, got, c.want)
			}
		}
	}
}
