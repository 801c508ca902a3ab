package strength

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policytest"
	"github.com/trammel-dev/trammel/test/testfile"
)

// opened is a trusted project with rules and tests, in which all tests pass.
func opened(t *testing.T, rules, tests string) *Project {
	t.Helper()
	state, dir := t.TempDir(), t.TempDir()
	dirs := layers.Dirs{State: state, Cache: filepath.Join(state, "cache")}
	file := filepath.Join(dir, "trammel_test.yaml")
	for path, text := range map[string]string{filepath.Join(dir, layers.FileName): "version: 1\nhooks:\n" + rules, file: "tests:\n" + tests} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := full.New(dirs)
	seen, err := config.Review(dirs, dir, full.Registry{Registry: p.Registry, Dialects: p.Dialects})
	if err == nil {
		err = seen.Accept(time.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	project, err := Open(&policytest.Rules{Program: p}, []string{file})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range project.Run(context.Background()) {
		if !r.Passed() {
			t.Fatalf("%s: %v %s", r.Name, r.Diff, r.Err)
		}
	}
	return project
}

// calls are cases with command lines; the decision stands before each.
func calls(list ...string) string {
	var b strings.Builder
	for i, c := range list {
		decision, line, _ := strings.Cut(c, ": ")
		fmt.Fprintf(&b, "  - {name: %d, on: PreToolUse, tool: Bash, input: {command: %q}, expect: {decision: %s}}\n", i, line, decision)
	}
	return b.String()
}

// TEAM-20: what is counted is what a person counts who reads the rules and the tests.
func TestCoverage(t *testing.T) {
	p := opened(t, `  - id: push
    on: pre_tool_use
    match:
      program: [git,
        hub, "jj"]
    deny:
      when: |
        args.begins("push") &&
          (args.has("--force", "-f") || !args.has("--dry-run"))
  - id: asked-only
    on: pre_tool_use
    match: {program: terraform}
    ask: {when: 'args.has("apply")'}
  - {id: never, on: pre_tool_use, match: {tool: "mcp__bank__pay"}, deny: no}
  - id: files
    on: pre_tool_use
    match: {action: [read, delete], path: ["keys/**", "!keys/public.pem", "!keys/other.pem"]}
    deny: no
  - {id: prompt, on: UserPromptSubmit, context: {when: 'prompt contains "css"', text: See tokens.css.}}
`, calls("none: git push --dry-run", "deny: git push -f && hub pull", "none: terraform plan", "deny: cat keys/a",
		"none: cat keys/public.pem")+
		"  - {name: p, on: UserPromptSubmit, prompt: fix the css, expect: {context: [tokens]}}\n")
	c := p.Coverage()
	var got []string
	for i := range c.Hooks {
		h := &c.Hooks[i]
		got = append(got, fmt.Sprintf("%s:%d %s %d/%d", h.Hook, h.Line, h.State, h.Done, h.Total))
		for _, gap := range h.Gaps() {
			got = append(got, fmt.Sprintf("%d %s", gap.Line, gap.What))
		}
	}
	want := []string{
		// said something; git and hub; push true, --force both ways, the last operand false; the pull was not asked about
		"push:3 fired 7/10", "7 match.program: no test hits jj", `10 never false: args.begins("push")`, `11 never true: !args.has("--dry-run")`,
		"asked-only:12 matched only 2/4", "12 it matches calls, and says nothing about any of them", `15 never true: args.has("apply")`,
		"never:16 never 0/2", "16 no test has a call that it matches",
		"files:17 fired 4/6", "19 match.action: no test hits delete", "19 match.path: no test hits !keys/other.pem",
		"prompt:21 fired 2/3", `21 never false: prompt contains "css"`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if c.Done != 15 || c.Total != 25 || c.Percent != 60 || c.Below(60) || !c.Below(61) {
		t.Errorf("%+v", c.Share)
	}
}

func mutated(t *testing.T, p *Project) (survivors []string, m *Mutation) {
	t.Helper()
	last := 0
	m, err := p.Mutate(context.Background(), func(done, total int) {
		if last++; done != last || done > total {
			t.Errorf("%d of %d, expected %d", done, total, last)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range m.Survivors {
		survivors = append(survivors, fmt.Sprintf("%d %s %s", s.Line, s.Kind, s.Change))
	}
	return survivors, m
}

// TEAM-22: a redundant conjunct is the only survivor.
func TestRedundantConjunct(t *testing.T) {
	const rule = `  - id: push
    on: pre_tool_use
    match: {program: git}
    deny:
      when: args.begins("push") && %s
`
	tests := calls("deny: git push --force", "none: git push", "none: git fetch --force", "none: jj push --force")
	if got, m := mutated(t, opened(t, fmt.Sprintf(rule, `args.has("--force")`), tests)); len(got) != 0 || m.Done != m.Total || m.Total != 7 {
		t.Errorf("%d of %d, survivors %v", m.Done, m.Total, got)
	}
	got, m := mutated(t, opened(t, fmt.Sprintf(rule, `args.has("--force") && len(args.list) > 0`), tests))
	if d := cmp.Diff([]string{`7 drop-condition left out: len(args.list) > 0`}, got); d != "" || m.Total != 9 {
		t.Errorf("of %d: %s", m.Total, d)
	}
}

// TEAM-22: each kind of change survives where no test is about it, with its place, and is
// killed by the one that is.
func TestKinds(t *testing.T) {
	const hook = "  - id: h\n    on: pre_tool_use\n"
	for _, tc := range []struct {
		rules  string
		tests  []string
		killer string
		change string // that survives without the killer
	}{
		{hook + "    match: {program: git}\n    deny: no\n", []string{"none: ls"}, "deny: git", "3 drop-hook the hook is gone"},
		{hook + "    match: {program: git}\n    deny: no\n", []string{"none: ls"}, "deny: git", "3 deny-to-ask it asks, and does not deny"},
		{hook + "    match: {program: git}\n    ask: sure?\n", []string{"ask: git"}, "none: ls", "5 drop-key match.program is gone"},
		{hook + "    match:\n      program:\n        - git\n        - jj\n    deny: no\n", []string{"deny: git", "none: ls"}, "deny: x && jj",
			"8 drop-value match.program without jj"},
		{hook + "    match: {path: [a/**,\n      '!a/b']}\n    deny: no\n", []string{"deny: cat a/c"}, "none: cat a/b",
			"6 drop-value match.path without !a/b"},
		{hook + "    match: {path: 'a/*.pem'}\n    deny: no\n", []string{"deny: cat a/x.pem", "none: ls"}, "none: cat a/x.txt",
			"5 widen match.path: a/*.pem is a/**"},
		{hook + "    match: {path: 'a/**'}\n    deny: no\n", []string{"deny: cat a/x", "none: echo"}, "none: cat b/x",
			"5 widen match.path: a/** is **"},
		{hook + "    match: {program: [git, terra*]}\n    deny: no\n", []string{"deny: git", "deny: terraform"}, "none: ls",
			"5 widen match.program: terra* is *"},
		{hook + "    match: {program: git}\n    deny:\n      when: |\n        args.has(\"a\")\n        && args.has(\"b\")\n",
			[]string{"deny: git a b", "none: git a"}, "none: git b", `8 drop-condition left out: args.has("a")`},
		{hook + "    match: {program: git}\n    when: args.has(\"a\") || args.has(\"b\")\n    deny: no\n",
			[]string{"deny: git a", "none: git"}, "deny: git b", `6 drop-condition left out: args.has("b")`},
		{hook + "    when: not (runs(\"a\") && runs(\"b\"))\n    deny: no\n", []string{"none: a; b", "deny: c"}, "deny: a",
			`5 drop-condition left out: runs("b")`},
		{hook + "    when: runs(\"a\")\n    deny: no\n", []string{"deny: a"}, "none: b", `5 drop-condition left out: runs("a")`},
		{hook + "    when: runs(\"a\") && (runs(\"b\") || runs(\"c\"))\n    deny: no\n", []string{"deny: a; c", "none: b"}, "deny: a; b",
			`5 negate negated: runs("b")`},
	} {
		got, m := mutated(t, opened(t, tc.rules, calls(tc.tests...)))
		i := slices.Index(got, tc.change)
		if i < 0 {
			t.Errorf("%s\nfound %q, expected among them %s", tc.rules, got, tc.change)
			continue
		}
		if killed, _ := mutated(t, opened(t, tc.rules, calls(append(tc.tests, tc.killer)...))); slices.Contains(killed, tc.change) {
			t.Errorf("%s: %s survives %s", tc.rules, tc.change, tc.killer)
		}
		path := filepath.Join(t.TempDir(), "stub_test.yaml")
		if err := os.WriteFile(path, []byte("tests:\n"+m.Survivors[i].Test), 0o600); err != nil {
			t.Fatal(err)
		}
		decision, _, _ := strings.Cut(tc.killer, ":")
		if cases, err := policytest.Read(path); err != nil || len(cases) != 1 || cases[0].Expect.Decision != decision {
			t.Errorf("%s: %v, expected %s of\n%s", tc.change, err, decision, m.Survivors[i].Test)
		}
	}
}

// TEAM-22: a hook without effect has no changes that a test could notice, and what a
// session has done before is a condition like others.
func TestOtherHooks(t *testing.T) {
	p := opened(t, `  - {id: trial, on: pre_tool_use, trial: true, deny: no}
  - {id: log, on: pre_tool_use, use: audit-log}
  - {id: ci, on: pre_tool_use, match: {program: git}, after: {writes: ".ci/**"}, ask: sure?}
`, calls("none: ls")+"  - {name: after, on: PreToolUse, tool: Bash, input: {command: git}, expect: {decision: ask}, "+
		"before: [{tool: Write, input: {file_path: .ci/x, content: x}}]}\n"+
		"  - {name: other, on: PreToolUse, tool: Bash, input: {command: ls}, before: [{tool: Write, input: {file_path: .ci/x, content: x}}]}\n")
	got, _ := mutated(t, p)
	if d := cmp.Diff([]string{"5 drop-after after is gone"}, got); d != "" {
		t.Error(d)
	}
}

// TEAM-20: a rule that many directories share counts once, and tests of each count for it.
func TestSharedRule(t *testing.T) {
	state, dir := t.TempDir(), t.TempDir()
	p := full.New(layers.Dirs{State: state, Cache: filepath.Join(state, "cache")})
	const rules = "version: 1\nhooks:\n  - {id: h, on: pre_tool_use, match: {program: [a, b]}, deny: no}\n"
	files := map[string]string{layers.FileName: rules, "x/x_test.yaml": "tests:\n" + calls("deny: a"),
		"y/y_test.yaml": "tests:\n" + calls("deny: b", "none: c")}
	var tests []string
	for name, text := range files {
		path := filepath.Join(dir, name)
		testfile.Write(t, path, text, 0o600)
		if name != layers.FileName {
			tests = append(tests, path)
		}
	}
	project, err := Open(&policytest.Rules{Program: p}, tests)
	if err != nil {
		t.Fatal(err)
	}
	project.Run(context.Background())
	if c := project.Coverage(); len(c.Hooks) != 1 || c.Done != 3 || c.Total != 3 {
		t.Errorf("%+v", c)
	}
	if got, m := mutated(t, project); len(got) != 0 || m.Total != 5 {
		t.Errorf("%v of %d", got, m.Total)
	}
}

// TEAM-22: a wider glob matches what the glob does, and more; other text stays as it is.
func TestWidened(t *testing.T) {
	for _, tc := range [][3]string{
		{"path", "a/*.pem", "a/**"}, {"path", "a/**/*.tf", "a/**"}, {"path", "**/*.go", "**"}, {"path", "*.pem", "**"}, {"path", "a/**", "**"},
		{"path", "/srv/a?", "/srv/**"}, {"path", "**", ""}, {"path", "a/b", ""}, {"path", "!a/*", ""}, {"program", "terra*", "*"},
		{"program", "git", ""}, {"program", "*", ""}, {"tool", "/a.*/", ""}, {"to", "*.example.com", "*"},
	} {
		got, ok := widened(config.Value{Key: tc[0], Text: tc[1], Means: []string{tc[1]}})
		if ok != (tc[2] != "") || ok && got != tc[2] {
			t.Errorf("%s %s: found %q, %v, expected %q", tc[0], tc[1], got, ok, tc[2])
		}
	}
}
