package config

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/test/testfile"
)

// place is a project with real files, and directories of its own around it.
type project struct {
	t    *testing.T
	dir  string
	dirs layers.Dirs
}

func newProject(t *testing.T) *project {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{t, filepath.Join(root, "p"), layers.Dirs{Machine: filepath.Join(root, "etc"), User: filepath.Join(root, "user"),
		State: filepath.Join(root, "state"), Cache: filepath.Join(root, "cache")}}
	if err := os.Mkdir(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *project) write(name, text string) {
	testfile.Write(p.t, filepath.Join(p.dir, filepath.FromSlash(name)), text, 0o755)
}

func (p *project) remove(name string) {
	p.t.Helper()
	if err := os.RemoveAll(filepath.Join(p.dir, name)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) compile() *Compiled {
	p.t.Helper()
	set, err := layers.Find(p.dirs, p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	c, err := Compile(set, testRegistry)
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

func (p *project) trust() *Summary {
	p.t.Helper()
	s, err := Review(p.dirs, p.dir, testRegistry)
	if err == nil {
		err = s.Accept(time.Now())
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

const trustedText = `version: 1
hooks:
  - {id: deny, on: stop, deny: x}
  - {id: run, on: stop, run: ./check.sh}
`

// What a human has trusted stays in force, whatever becomes of the file.
func TestTrustHolds(t *testing.T) {
	for _, c := range []struct {
		name  string
		trust bool
		after func(p *project)
		want  string
	}{
		{"never trusted", false, func(*project) {}, "project: deny in force; project: run untrusted; untrusted"},
		{"trusted", true, func(*project) {}, "project: deny in force; project: run in force"},
		{"a comment is added", true, func(p *project) { p.write("trammel.yaml", "# hello\n"+trustedText) },
			"project: deny in force; project: run in force; project: deny duplicate; project: run duplicate; changed"},
		{"a rule is removed", true, func(p *project) { p.write("trammel.yaml", "version: 1\n") },
			"project: deny in force; project: run in force; changed"},
		{"a rule is weakened", true, func(p *project) {
			p.write("trammel.yaml", "version: 1\nhooks: [{id: deny, on: stop, when: 'false', deny: x}]")
		}, "project: deny in force; project: run in force; project: deny@untrusted in force; changed renamed"},
		{"a rule is switched off", true, func(p *project) {
			p.write("trammel.yaml", "version: 1\ndisabled: [run]\nprofile: minimal\nhooks: [{id: deny, on: stop, deny: x, enabled: false}]")
		}, "project: deny in force; project: run in force; project: deny not enabled; changed not_disabled"},
		{"a tightening rule is added", true, func(p *project) {
			p.write("trammel.yaml", trustedText+"  - {id: more, on: pre_tool_use, ask: y}\n")
		}, "project: deny in force; project: run in force; project: deny duplicate; project: run duplicate; project: more in force; changed"},
		{"a command is added", true, func(p *project) {
			p.write("trammel.yaml", trustedText+"  - {id: more, on: stop, run: make}\n")
		}, "project: deny in force; project: run in force; project: deny duplicate; project: run duplicate; project: more untrusted; changed"},
		{"a command is changed", true, func(p *project) {
			p.write("trammel.yaml", strings.Replace(trustedText, "./check.sh", "./other.sh", 1))
		}, "project: deny in force; project: run in force; project: deny duplicate; project: run untrusted; changed"},
		{"a file is added", true, func(p *project) {
			p.write("hooks.d/x.yaml", "version: 1\nhooks: [{id: deny, on: stop, deny: y}, {id: new, on: stop, exec: [x]}]")
		}, "project: deny in force; project: run in force; project: deny@untrusted in force; project: new untrusted; untrusted renamed"},
		{"the file is broken", true, func(p *project) { p.write("trammel.yaml", "version: [") },
			"project: deny in force; project: run in force; changed broken"},
		{"the file is gone", true, func(p *project) { p.remove("trammel.yaml") },
			"project: deny in force; project: run in force; vanished"},
		{"trusted again without the rule", true, func(p *project) { p.write("trammel.yaml", "version: 1\n"); p.trust() }, ""},
		{"trusted again when gone", true, func(p *project) { p.remove("trammel.yaml"); p.trust() }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t)
			p.write("trammel.yaml", trustedText)
			p.write("check.sh", "#!/bin/sh\n")
			if c.trust {
				p.trust()
			}
			c.after(p)
			if got := outcome(p.compile()); got != c.want {
				t.Errorf("found    %s\nexpected %s", got, c.want)
			}
		})
	}
}

func TestTrustPinsPrograms(t *testing.T) {
	p := newProject(t)
	p.write("trammel.yaml", "version: 1\nhooks: [{id: a, on: stop, run: ./check.sh}, {id: b, on: stop, run: ./later.sh}, {id: c, on: stop, "+
		"run: gofmt -l .}]")
	p.write("check.sh", "#!/bin/sh\n")
	check, later := filepath.Join(p.dir, "check.sh"), filepath.Join(p.dir, "later.sh")
	s := p.trust()
	const digest = "sha256:a8076d3d28d21e02012b20eaf7dbf75409a6277134439025f282e368e3305abf"
	if len(s.Programs) != 2 || s.Programs[0] != (EntryPoint{check, digest, layers.Unknown}) ||
		s.Programs[1] != (EntryPoint{later, Absent, layers.Unknown}) {
		t.Errorf("found %+v", s.Programs)
	}
	p.write("check.sh", "#!/bin/sh\nexit 0\n")
	p.write("later.sh", "#!/bin/sh\nexit 0\n")
	if s, err := Review(p.dirs, p.dir, testRegistry); err != nil || !strings.Contains(s.String(), "program  "+check+" (changed) sha256:") {
		t.Errorf("which program has changed? %v\n%s", err, s)
	}
	hooks := p.compile().Hooks
	// The pins are those of the time of trust, also for what was not there then.
	if !bytes.Contains(hooks[0].Config, []byte(`"pinned":{"`+check+`":"`+digest+`"}`)) {
		t.Errorf("found %s", hooks[0].Config)
	}
	if !bytes.Contains(hooks[1].Config, []byte(`"pinned":{"`+later+`":"absent"}`)) {
		t.Errorf("found %s", hooks[1].Config)
	}
	if bytes.Contains(hooks[2].Config, []byte("pinned")) {
		t.Errorf("found %s", hooks[2].Config)
	}
}

// A program that the trust does not know is not the one that was trusted.
func TestProgramsWithoutAPinDoNotRun(t *testing.T) {
	set := &layers.Set{Files: []layers.File{file(layers.Project, "version: 1\nhooks: [{id: a, on: stop, run: ./check.sh}]")}}
	c, err := Compile(set, testRegistry)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"pinned":{"/project/check.sh":"absent"},"run":"./check.sh"}`; filepath.Separator == '/' && string(c.Hooks[0].Config) != want {
		t.Errorf("found %s, expected %s", c.Hooks[0].Config, want)
	}
	set.Files[0].Layer = layers.User // a person's own programs are not pinned
	if c, err = Compile(set, testRegistry); err != nil || string(c.Hooks[0].Config) != `{"run":"./check.sh"}` {
		t.Errorf("found %v, %v", c, err)
	}
}

func TestReviewDoesNotTrust(t *testing.T) {
	p := newProject(t)
	p.write("trammel.yaml", trustedText)
	s, err := Review(p.dirs, filepath.Join(p.dir, "sub", "dir"), testRegistry)
	if err != nil {
		t.Fatal(err)
	}
	if rec, _ := layers.Status(p.dirs, p.dir); rec != nil {
		t.Error("looking has trusted")
	}
	if text := s.String(); !strings.Contains(text, "\n  hook     deny\n") || !strings.Contains(text, "\n  hook     run\n") {
		t.Errorf("found\n%s", text)
	}
	if s.Dir != p.dir || len(s.Hooks) != 2 || len(s.Commands) != 1 || s.Commands[0] != (Command{"run", "./check.sh"}) {
		t.Errorf("found %+v", s)
	}
	// What is trusted is what was shown, not what the file says by then.
	p.write("trammel.yaml", "version: 1\nhooks: [{id: evil, on: stop, run: ./evil.sh}]")
	if err := s.Accept(now()); err != nil {
		t.Fatal(err)
	}
	if got, want := outcome(p.compile()), "project: deny in force; project: run in force; project: evil untrusted; changed"; got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
	s, err = Review(p.dirs, p.dir, testRegistry)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Changes) != 3 || !s.Loosens() {
		t.Errorf("changes: %v", s.Changes)
	}
	for _, part := range []string{p.dir, "removed  deny: loosens", "added    evil", "command  evil: ./evil.sh", "(changed)", Absent} {
		if !strings.Contains(s.String(), part) {
			t.Errorf("the summary does not say %q:\n%s", part, s)
		}
	}
}

func TestTrustRefuses(t *testing.T) {
	p := newProject(t)
	if _, err := Review(p.dirs, p.dir, testRegistry); err == nil || !strings.Contains(err.Error(), "nothing to trust") {
		t.Errorf("found %v", err)
	}
	p.write("trammel.yaml", "version: 1\nhooks: [{id: a}]")
	if _, err := Review(p.dirs, p.dir, testRegistry); err == nil || !strings.Contains(err.Error(), "trammel.yaml:2:9") {
		t.Errorf("found %v", err)
	}
}

// Text from a file cannot pass for a line of the summary.
// The person who trusts sees which hooks will not be in force.
func TestSummaryOfHooksThatAreOff(t *testing.T) {
	p := newProject(t)
	p.write("trammel.yaml", "version: 1\nhooks: [{id: on, on: stop, deny: x}, {id: off, on: stop, deny: x, enabled: false}]")
	s, err := Review(p.dirs, p.dir, testRegistry)
	if err != nil {
		t.Fatal(err)
	}
	if text := s.String(); !strings.Contains(text, "\n  hook     on\n  hook     off, not enabled\n") {
		t.Errorf("found\n%s", text)
	}
}

// The person who trusts sees the hooks of bundles that the project extends.
func TestSummaryOfBundles(t *testing.T) {
	p := newProject(t)
	b := bundleOf(t, "acme", "v1.0.0", "hooks: [{id: theirs, on: stop, deny: x}]")
	if err := bundles.Store(layers.BundlesIn(p.dirs), b); err != nil {
		t.Fatal(err)
	}
	p.write("trammel.yaml", "version: 1\nextends: [{from: ./acme}]\n")
	p.write("trammel.lock", string(layers.FormatLock([]layers.Locked{{Sum: b.Sum, Name: b.Name, Version: b.Version, From: "./acme"}})))
	s, err := Review(p.dirs, p.dir, testRegistry)
	if err != nil || len(s.Hooks) != 1 || s.Hooks[0].Declared != "theirs" {
		t.Errorf("found %+v, %v", s, err)
	}
}

func TestSummaryCannotBeForged(t *testing.T) {
	p := newProject(t)
	p.write("trammel.yaml", "version: 1\nhooks: [{id: a, on: stop, about: \"x\\n  removed  nothing\\e[2J\", run: \"make\\n  program  "+
		"harmless\"}]")
	s, err := Review(p.dirs, p.dir, testRegistry)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.String(), "\n  removed") || strings.Contains(s.String(), "\n  program") || strings.Contains(s.String(), "\x1b") {
		t.Errorf("found\n%s", s)
	}
}

func TestEntryPoints(t *testing.T) {
	for _, c := range []struct{ hook, want string }{
		{"run: ./a.sh", "a.sh"},
		{"run: hooks/a.sh --flag", "hooks/a.sh"},
		{"run: gofmt -l .", ""},
		{"run: python3 hooks/a.py", "hooks/a.py"},
		{"run: python3 -u a.py", "a.py"},
		{"run: python3 -c 'print(1)'", ""},
		{"run: python3 -m module", ""},
		{"run: bash -e a.sh", "a.sh"},
		{"run: bash -lc './a.sh; ../b.sh'", "/b.sh a.sh"},
		{"run: python3 -W ignore a.py", "a.py"},
		{"run: sh < a.sh", "a.sh"},
		{"run: cat a.sh | sh", "a.sh"},
		{"run: . ./lib.sh", "lib.sh"},
		{"run: node --no-warnings a.js", "a.js"},
		{"run: deno run a.ts", "a.ts"},
		{"run: env A=b python3 a.py", "a.py"},
		{"run: timeout 5s ./a.sh", "a.sh"},
		{"run: ./a.sh && ./b.sh | sh c.sh", "a.sh b.sh c.sh"},
		{"run: '\"./a b.sh\" x'", "a b.sh"},
		{"run: '\"$HOME/a.sh\"'", "/home/me/a.sh"},
		{"run: ~/a.sh", "/home/me/a.sh"},
		{"run: '\"$TRAMMEL_PROJECT\"/a.sh'", "a.sh"},
		{"run: '\"$ELSEWHERE/a.sh\"'", ""},
		{"run: if x; then ./a.sh; fi", "a.sh"},
		{"run: /bin/true", ""},
		{"run: ../outside.sh", "/outside.sh"}, // enforcement 19, and what follows
		{"run: python3 ../x.py", "/x.py"},
		{"run: /srv/tools/check", "/srv/tools/check"},
		{"exec: [../c.sh]", "/c.sh"},
		{"exec: [sh, -c, ../c.sh]", "/c.sh"},
		{"exec: [python3, /srv/x.py]", "/srv/x.py"},
		{"pack: {dir: ../ext, hook: h}", "/ext"},
		{"pack: {dir: /srv/ext, hook: h}", "/srv/ext"},
		{"run: ./a.sh, dir: sub", "sub/a.sh"},
		{"run: 'if ('", ""},
		{"exec: [./a.sh, ./b.sh]", "a.sh"},
		{"exec: [python3, hooks/a.py]", "hooks/a.py"},
		{"exec: [make]", ""},
	} {
		t.Setenv("HOME", "/home/me")
		f := file(layers.Project, "version: 1\nhooks: [{id: a, on: stop, "+c.hook+"}]")
		compiled, err := Compile(&layers.Set{Files: []layers.File{f}}, testRegistry)
		if err != nil {
			t.Errorf("%s: %v", c.hook, err)
			continue
		}
		var got []string
		for _, path := range EntryPoints(compiled, "/project") {
			got = append(got, strings.TrimPrefix(filepath.ToSlash(path), "/project/"))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: found %q, expected %q", c.hook, got, c.want)
		}
	}
}
