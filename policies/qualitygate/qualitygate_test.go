package qualitygate

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
	"github.com/trammel-dev/trammel/test/testfile"
)

// place is a project with formatters that note what they were asked.
type place struct {
	*testing.T
	dir string
}

func newPlace(t *testing.T, files map[string]string) place {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins are shell scripts")
	}
	p := place{t, t.TempDir()}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("SA_QUALITY_GATE_FIX", "")
	t.Setenv("SA_QUALITY_GATE_STRICT", "true") // what is found is said
	p.put(".git/HEAD", "")                     // nothing above counts
	for name, text := range files {
		p.put(name, text)
	}
	return p
}

func (p place) put(name, text string) {
	testfile.Write(p, filepath.Join(p.dir, name), text, 0o755)
}

// edits has a file edited and returns what the policy says to that.
func (p place) edits(options, path string) trammel.Answer {
	p.Helper()
	var with []byte
	if options != "" {
		with = []byte(options)
	}
	h, err := Policy().New(policysuite.Spec(string(with)))
	if err != nil {
		p.Fatal(err)
	}
	ev := &trammel.Event{Kind: trammel.PostToolUse, Host: "claude-code", Session: trammel.Session{ID: "s", Dir: p.dir},
		Tool: &trammel.ToolCall{Name: "Edit", Done: true, Action: trammel.Action{Kind: trammel.EditAction, Paths: []string{path}}}}
	a, err := h.Handle(p.Context(), ev)
	if err != nil || a.Decision != trammel.None {
		p.Fatalf("%+v, %v", a, err)
	}
	if over := Policy().May.Overreach(&a, ev.Kind.Can()); over != "" {
		p.Errorf("beyond its authority: %s", over)
	}
	return a
}

func code(a trammel.Answer) string {
	var codes []string
	for _, f := range a.Findings {
		codes = append(codes, f.Code)
	}
	return strings.Join(codes, " ")
}

// fails and passes are formatters that note their arguments.
const (
	passes = "#!/bin/sh\necho \"$0 $*\" >> \"$(dirname \"$0\")/asked\"\n"
	fails  = passes + "echo 'not pretty' >&2\nexit 1\n"
)

// FLOW-31: the formatter is the one of the file's project, and it is checked
// from the payload's directory, also if we are elsewhere.
func TestFormatterIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		edit  string
		want  string
		asked string
	}{
		"biome": {map[string]string{"biome.json": "{}", "node_modules/.bin/biome": fails, "a.ts": "x"}, "a.ts",
			"format_differs", "biome check "},
		"biome before prettier": {map[string]string{"biome.jsonc": "{}", ".prettierrc": "", "node_modules/.bin/biome": passes,
			"node_modules/.bin/prettier": fails, "a.json": "{}"}, "a.json", "", "biome check "},
		"prettier, a file": {map[string]string{".prettierrc.toml": "", "node_modules/.bin/prettier": fails, "src/a.tsx": "x"},
			"src/a.tsx", "format_differs", "prettier --check "},
		"prettier, a key": {map[string]string{"package.json": `{"name":"x","prettier":{}}`, "node_modules/.bin/prettier": fails,
			"a.md": "x"}, "a.md", "format_differs", "prettier --check "},
		"no key": {map[string]string{"package.json": `{"devDependencies":{"prettier":"3"}}`,
			"node_modules/.bin/prettier": fails, "a.md": "x"}, "a.md", "", ""},
		"the nearest project": {map[string]string{".prettierrc": "", "sub/biome.json": "{}", "sub/node_modules/.bin/biome": passes,
			"node_modules/.bin/prettier": fails, "sub/a.js": "x"}, "sub/a.js", "", ""},
		"the nearest setting": {map[string]string{"biome.json": "{}", "sub/.prettierrc": "", "node_modules/.bin/prettier": fails,
			"node_modules/.bin/biome": passes, "sub/a.js": "x"}, "sub/a.js", "format_differs", "prettier --check "},
		"a directory of that name": {map[string]string{"biome.json/x": "", ".prettierrc": "", "node_modules/.bin/prettier": fails, "a.js": "x"},
			"a.js", "format_differs", "prettier --check "},
		"a workspace's bin": {map[string]string{"node_modules/.bin/biome": fails, "packages/a/biome.json": "{}", "packages/a/a.js": "x"},
			"packages/a/a.js", "format_differs", "biome check "},
		"not another repository": {map[string]string{".prettierrc": "", "node_modules/.bin/prettier": fails, "sub/.git/HEAD": "",
			"sub/a.js": "x"}, "sub/a.js", "", ""},
		"not installed":           {map[string]string{"biome.json": "{}", "a.ts": "x"}, "a.ts", "formatter_missing", ""},
		"another kind of file":    {map[string]string{"biome.json": "{}", "node_modules/.bin/biome": fails, "a.rs": "x"}, "a.rs", "", ""},
		"a file that is not":      {map[string]string{"biome.json": "{}", "node_modules/.bin/biome": fails}, "a.ts", "", ""},
		"python without settings": {map[string]string{"a.py": "x"}, "a.py", "", ""},
		"the formatter crashes": {map[string]string{"biome.json": "{}", "node_modules/.bin/biome": passes + "exit 3\n", "a.ts": "x"}, "a.ts",
			"formatter_failed", "biome check "},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, c.files)
			t.Setenv("PATH", "/usr/bin:/bin")
			a := p.edits("", c.edit)
			if got := code(a); got != c.want {
				t.Errorf("found %q, expected %q", got, c.want)
			}
			if (len(a.Context) > 0) != (c.want != "") {
				t.Errorf("the model is told %q", a.Context)
			}
			asked, _ := os.ReadFile(filepath.Join(p.dir, "node_modules", ".bin", "asked"))
			if !strings.Contains(string(asked), c.asked) || c.asked == "" && len(asked) > 0 {
				t.Errorf("asked %q", asked)
			}
		})
	}
}

// FLOW-31: nothing is ever downloaded. A program named npx would say so.
func TestNothingIsDownloaded(t *testing.T) {
	p := newPlace(t, map[string]string{"biome.json": "{}", "a.ts": "x", "path/npx": passes, "path/npm": passes})
	t.Setenv("PATH", filepath.Join(p.dir, "path")+":/usr/bin:/bin")
	if got := code(p.edits("", "a.ts")); got != "formatter_missing" {
		t.Error(got)
	}
	if _, err := os.Stat(filepath.Join(p.dir, "path", "asked")); err == nil {
		t.Error("npx was asked")
	}
}

// FLOW-31: SA_QUALITY_GATE_FIX and SA_QUALITY_GATE_STRICT, and what is
// configured before them. The model is told once until something changes.
func TestSwitches(t *testing.T) {
	fixes := passes + "for last; do :; done\necho formatted > \"$last\"\n"
	for name, c := range map[string]struct {
		options, fix, strict string
		want                 string
		told                 bool
	}{
		"by default it is only on record": {want: "format_differs"},
		"strict":                          {strict: "true", want: "format_differs", told: true},
		"not strict":                      {strict: "false", want: "format_differs"},
		"fix":                             {fix: "true", strict: "true", want: "formatted", told: true},
		"fix in silence":                  {fix: "true", want: "formatted"},
		"options come first": {options: `{"fix":false,"strict":true}`, fix: "true", strict: "false", want: "format_differs",
			told: true},
		"FLOW-42 without the environment": {options: `{"environment":false}`, fix: "true", strict: "true", want: "format_differs"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"biome.json": "{}", "a.ts": "x", "node_modules/.bin/biome": `#!/bin/sh
case "$*" in *--write*) ` + strings.TrimPrefix(fixes, "#!/bin/sh\n") + `;; *) exit 1;; esac
`})
			t.Setenv("SA_QUALITY_GATE_FIX", c.fix)
			t.Setenv("SA_QUALITY_GATE_STRICT", c.strict)
			a := p.edits(c.options, "a.ts")
			if code(a) != c.want || (len(a.Context) > 0) != c.told {
				t.Errorf("found %q, told %q", code(a), a.Context)
			}
		})
	}
}

func TestToldOnce(t *testing.T) {
	p := newPlace(t, map[string]string{".prettierrc": "", "a.ts": "x", "node_modules/.bin/prettier": fails})
	if a := p.edits("", "a.ts"); len(a.Context) != 1 || !strings.Contains(a.Context[0], "prettier check failed for") ||
		!strings.Contains(a.Context[0], "not pretty") {
		t.Errorf("%+v", a)
	}
	if a := p.edits("", "a.ts"); len(a.Context) != 0 || code(a) != "format_differs" {
		t.Errorf("said again: %+v", a)
	}
	p.put("node_modules/.bin/prettier", passes)
	if a := p.edits("", "a.ts"); len(a.Findings) != 0 {
		t.Errorf("%+v", a)
	}
	p.put("node_modules/.bin/prettier", fails)
	if a := p.edits("", "a.ts"); len(a.Context) != 1 {
		t.Errorf("it was fixed and broken again, and that is not said: %+v", a)
	}
}

// FLOW-31: the real gofmt.
func TestGofmt(t *testing.T) {
	if _, err := exec.LookPath("gofmt"); err != nil {
		t.Skip("no gofmt on this machine")
	}
	p := newPlace(t, map[string]string{"good.go": "package a\n", "bad.go": "package   a\n", "broken.go": "package {\n"})
	for file, want := range map[string]string{"good.go": "", "bad.go": "format_differs", "broken.go": "formatter_failed"} {
		if got := code(p.edits("", file)); got != want {
			t.Errorf("%s: %q", file, got)
		}
	}
	if got := code(p.edits(`{"fix":true}`, "bad.go")); got != "formatted" {
		t.Errorf("fixed: %q", got)
	}
	if data, _ := os.ReadFile(filepath.Join(p.dir, "bad.go")); string(data) != "package a\n" {
		t.Errorf("%q", data)
	}
}

// What does not concern it costs nothing.
func TestWhatItLeavesAlone(t *testing.T) {
	h, _ := Policy().New(policysuite.Spec(""))
	for _, tool := range []*trammel.ToolCall{nil, {Action: trammel.Action{Kind: trammel.ShellAction, Command: "x"}},
		{Action: trammel.Action{Kind: trammel.ReadAction, Paths: []string{"a.go"}}},
		{Failed: true, Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{"a.go"}}}} {
		ev := &trammel.Event{Kind: trammel.PostToolUse, Tool: tool}
		if n := testing.AllocsPerRun(10, func() { h.Handle(t.Context(), ev) }); n > 0 {
			t.Errorf("%+v: %v allocations", tool, n)
		}
	}
	if _, err := Policy().New(policysuite.Spec(`{"timeout":"soon"}`)); err == nil {
		t.Error("a timeout that is none was taken")
	}
	if !slices.Equal(Policy().On, []trammel.Kind{trammel.PostToolUse}) {
		t.Error(Policy().On)
	}
}
