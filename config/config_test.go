package config

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/plan"
)

var update = flag.Bool("update", false, "write what was found as what is expected")

// registry has a few policies, and finds every configuration right that does
// not say WRONG.
type registry []trammel.Policy

type testOptions struct {
	Paths []string       `json:"paths,omitempty"`
	Most  uint8          `json:"most,omitempty"`
	Free  any            `json:"free,omitempty"`
	List  []testOption   `json:"list,omitempty"`
	Map   map[string]int `json:"map,omitempty"`
}

type testOption struct {
	Name string `json:"name"`
}

var testRegistry = registry{
	{Name: "guard", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard},
	{Name: "observer", On: []trammel.Kind{trammel.SessionEnd}, May: trammel.Observe},
	{Name: "options", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard, Options: testOptions{}},
	{Name: "rewriter", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Rewrite, Options: &testOptions{}},
}

func (r registry) Policies() []trammel.Policy { return r }

func (r registry) Policy(name string) (trammel.Policy, bool) {
	for _, p := range r {
		if p.Name == name {
			return p, true
		}
	}
	return trammel.Policy{}, false
}

func (r registry) PrepareKind(kind string, config []byte) ([]byte, error) {
	if bytes.Contains(config, []byte("WRONG")) {
		return nil, fmt.Errorf("the %s is wrong", kind)
	}
	return config, nil
}

// file is a trusted file of a layer in the directory /layer.
func file(layer layers.Layer, text string) layers.File {
	return layers.File{Layer: layer, Path: "/" + layer.String() + "/trammel.yaml", Dir: "/" + layer.String(), Data: []byte(text),
		Trust: layers.Trusted}
}

// one is a set of one file, the user's.
func one(text string) *layers.Set {
	f := file(layers.User, text)
	f.Path = "trammel.yaml"
	return &layers.Set{Files: []layers.File{f}}
}

func compileOne(text string) (*Compiled, error) { return Compile(one(text), testRegistry) }

// golden compares what was found with the text beside an example.
func golden(t *testing.T, example, got string) {
	t.Helper()
	path := strings.TrimSuffix(example, ".yaml") + ".txt"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s: found\n%s\nexpected\n%s", example, got, want)
	}
}

// examples visits the files of a directory in testdata.
func examples(t testing.TB, dir string, each func(path string, data []byte)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%v, %d files", err, len(paths))
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		each(path, data)
	}
}

// Every kind of error says where it is, what was found and what was expected.
func TestErrors(t *testing.T) {
	examples(t, "errors", func(path string, data []byte) {
		_, err := compileOne(string(data))
		if err == nil {
			t.Errorf("%s: no error", path)
			return
		}
		golden(t, path, err.Error()+"\n")
		for _, e := range err.(*Errors).List {
			if e.File == "" || e.Line < 1 || e.Column < 1 || e.Message == "" || e.Found == "" && e.Expected == "" && e.Text == "" {
				t.Errorf("%s: incomplete: %+v", path, e)
			}
		}
	})
}

func TestValid(t *testing.T) {
	examples(t, "valid", func(path string, data []byte) {
		c, err := compileOne(string(data))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		golden(t, path, show(c))
	})
}

// show is all that was compiled, one line per hook.
func show(c *Compiled) string {
	var b strings.Builder
	for _, h := range c.Hooks {
		on := make([]string, len(h.On))
		for i, k := range h.On {
			on[i] = k.String()
		}
		fmt.Fprintf(&b, "%s on %s", h.ID, strings.Join(on, ","))
		if m := h.Match; m.Tools != nil || m.Actions != nil || m.Paths != nil || m.Programs != nil || m.Hosts != nil || m.Agents != nil {
			fmt.Fprintf(&b, " match %+v", m)
		}
		fmt.Fprintf(&b, " may %s priority %d timeout %v on_error %s %s %s at %s\n", h.May, h.Priority, h.Timeout, h.OnError, h.Kind, h.Config,
			h.Source)
	}
	for _, e := range c.Report {
		if !e.Kept() {
			fmt.Fprintf(&b, "%s %s: %s\n", e.Declared, e.Status, e.Why)
		}
	}
	for _, n := range c.Notes {
		fmt.Fprintf(&b, "note %s %s\n", n.Code, n)
	}
	if c.Settings != plan.DefaultSettings() {
		fmt.Fprintf(&b, "settings %+v\n", c.Settings)
	}
	return b.String()
}

func TestBytes(t *testing.T) {
	const good = "version: 1\nhooks:\n  - id: a\n    on: stop\n    deny: |\n      two\n      lines\n"
	plain, err := compileOne(good)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, err string }{
		"as it is":          {good, ""},
		"byte order mark":   {"\xEF\xBB\xBF" + good, ""},
		"windows line ends": {strings.ReplaceAll(good, "\n", "\r\n"), ""},
		"document start":    {"---\n" + good, "line"},
		"utf-16":            {"\xFF\xFEv\x00e\x00", "trammel.yaml:1:1: the file is not UTF-8"},
		"latin-1":           {"version: 1\n# gr\xF6\xDFe\n", "trammel.yaml:2:5: the file is not UTF-8"},
		"NUL":               {"version: 1\nprofile: \x00\n", "trammel.yaml:2:10: the file has a control character"},
		"escape":            {"version: 1\n# \x1b[2J\n", "trammel.yaml:2:3: the file has a control character"},
		"deep brackets":     {"version: 1\nhooks: " + strings.Repeat("[", 50000), "trammel.yaml:2:72: the nesting is deeper"},
		"deep braces":       {"version: 1\nhooks: " + strings.Repeat("{a: ", 20000), "trammel.yaml:2:264: the nesting is deeper"},
		"deep dashes":       {"version: 1\nhooks:\n " + strings.Repeat("- ", 50000), "trammel.yaml:3:128: the nesting is deeper"},
		"many words":        {"version: 1\ndisabled:\n" + strings.Repeat(" - a\n", 60000), "the file has more than"},
		"many keys":         {"version: 1\n" + strings.Repeat("a: b\n", 1500), "trammel.yaml:1001:2: a mapping has more than 1000 keys"},
		"many nested keys": {"version: 1\nhooks:\n  - id: a\n    on: b\n    env:\n" + strings.Repeat("      a: b\n", 1500),
			"trammel.yaml:1006:8: a mapping has more than 1000 keys"},
		"many flow keys":     {"version: 1\nevidence: {" + strings.Repeat("a: b, ", 1500) + "}", "a mapping has more than 1000 keys"},
		"many explicit keys": {"version: 1\n" + strings.Repeat("? a\n", 1500), "a mapping has more than 1000 keys"},
		"a long line":        {"version: 1\nprofile: " + strings.Repeat("x", 5000), "found \"xxx"},
		"deep indentation":   {"version: 1\nhooks:\n" + staircase(200), "the nesting is deeper"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := compileOne(c.text)
			switch {
			case c.err == "line":
				if err != nil || got.Hooks[0].Source.Line != plain.Hooks[0].Source.Line+1 {
					t.Errorf("%v %v", got, err)
				}
			case c.err == "":
				if err != nil || show(got) != show(plain) {
					t.Errorf("%v\n%s", err, show(got))
				}
			case err == nil || !strings.Contains(err.Error(), c.err):
				t.Errorf("found %.300v, expected %s", err, c.err)
			case len(err.Error()) > 1000:
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
	if _, err := compileOne("version: 1\r\nprofile: x\r\n"); err == nil || !strings.Contains(err.Error(), "trammel.yaml:2:10:") ||
		strings.Contains(err.Error(), "\r") {
		t.Errorf("an error behind Windows line ends: %q", err)
	}
}

func staircase(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat(" ", i+1))
	}
	return b.String()
}

// Many hooks with the same keys are not one mapping with many.
func TestManyHooks(t *testing.T) {
	for _, hook := range []string{"  - {id: h%d, on: stop, deny: x}\n", "  - id: h%d\n    on: stop\n    deny: x\n",
		"  -\n    id: h%d\n    on: stop\n    deny: {reason: x}\n"} {
		var b strings.Builder
		b.WriteString("version: 1\nhooks:\n")
		for i := range maxHooks {
			fmt.Fprintf(&b, hook, i)
		}
		if c, err := compileOne(b.String()); err != nil || len(c.Hooks) != maxHooks {
			t.Errorf("%s: %.200v", hook, err)
		}
	}
}

func TestTooManyHooks(t *testing.T) {
	var b strings.Builder
	b.WriteString("version: 1\nhooks:\n")
	for i := range maxHooks + 1 {
		fmt.Fprintf(&b, "  - {id: h%d, on: stop, deny: x}\n", i)
	}
	if _, err := compileOne(b.String()); err == nil || !strings.Contains(err.Error(), "trammel.yaml:2003:") {
		t.Errorf("found %v", err)
	}
}

// FuzzCompile: no bytes make the loader panic, and whatever it takes is sound.
func FuzzCompile(f *testing.F) {
	for _, dir := range []string{"errors", "valid"} {
		examples(f, dir, func(_ string, data []byte) { f.Add(data, true); f.Add(data, false) })
	}
	f.Fuzz(func(t *testing.T, data []byte, trusted bool) {
		own := file(layers.User, "version: 1\nhooks: [{id: own, on: stop, deny: x}]")
		fuzzed := file(layers.Project, string(data))
		if !trusted {
			fuzzed.Trust = layers.Unknown
		}
		c, err := Compile(&layers.Set{Files: []layers.File{own, fuzzed}}, testRegistry)
		if err != nil {
			if !trusted {
				t.Fatalf("an untrusted file breaks the others: %v", err)
			}
			_ = err.Error()
			return
		}
		if !slices.ContainsFunc(c.Hooks, func(h plan.Hook) bool { return h.ID == "own" && h.Source.Layer == "user" }) {
			t.Fatal("a project has removed a user's hook")
		}
		ids := map[string]bool{}
		for _, h := range c.Hooks {
			if ids[h.ID] {
				t.Fatalf("id %q twice", h.ID)
			}
			ids[h.ID] = true
			if h.Source.Layer == "project" && (h.May == trammel.Grant || !trusted && (h.Kind == "command" || h.May != trammel.Guard)) {
				t.Fatalf("a project may not %+v", h)
			}
			if len(h.On) == 0 || h.May == 0 || h.Kind == "" || cmp.Compare(h.Timeout, 0) < 0 {
				t.Fatalf("unsound: %+v", h)
			}
		}
	})
}
