// Package imports tests what is imported from other systems: for each of them
// tables of rules and calls, with what the system itself makes of each call,
// judged by the engine with what was imported.
package imports

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/extended"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policytest"
)

// leastCalls is how many calls the tables of a source have at least.
const leastCalls = 40

// TEAM-30 TEAM-31: what is imported decides as the system does. A table is an
// archive: the files of the system, and calls. A line of calls has the decision
// of the system, the tool, and its first argument or all of them as JSON. Where
// ours differs by intent, it stands behind =>: none=>deny.
func TestImportedRulesDecideAsTheirSystemDoes(t *testing.T) {
	for _, s := range extended.Sources() {
		t.Run(s.Name, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join("testdata", s.Name, "*.txtar"))
			if err != nil {
				t.Fatal(err)
			}
			calls := 0
			for _, file := range files {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { calls += table(t, s, file) })
			}
			if calls < leastCalls && s.Host != "" {
				t.Errorf("%d calls, expected %d", calls, leastCalls)
			}
		})
	}
}

// machine is a user with what was imported, and a project.
type machine struct {
	policytest.Runner
	project string
}

// imported imports the files of an archive, with grants, and checks that what
// comes of it compiles and passes its own tests.
func imported(t *testing.T, s *importers.Source, a *txtar.Archive) (*machine, *importers.Result) {
	t.Helper()
	var files []importers.File
	for _, f := range a.Files {
		if f.Name != "calls" && f.Name != "report" && !strings.HasPrefix(f.Name, "project/") {
			files = append(files, importers.File{Path: f.Name, Data: f.Data, User: strings.HasPrefix(f.Name, "~/")})
		}
	}
	r, err := importers.Import(s, files, importers.Options{Grants: true, Host: s.Host, Check: full.New(trammel.Dirs{}).Compiles})
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sub := func(name string) string { return filepath.Join(root, name) }
	t.Setenv("HOME", sub("home"))
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(sub(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(sub(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("user/trammel.yaml", r.Rules().YAML())
	write("project/.git/HEAD", "")
	write("project/src/a.go", "")
	if err := os.Symlink(sub("home"), sub("project/src/elsewhere")); err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if strings.HasPrefix(f.Name, "project/") {
			write(f.Name, string(f.Data))
		}
	}
	p := full.New(trammel.Dirs{Machine: sub("machine"), User: sub("user"), State: sub("state"), Cache: sub("cache")})
	m := &machine{policytest.Runner{Program: &p.Program}, sub("project")}
	for _, test := range r.Tests {
		got := m.judge(t, "", test.Call.Tool, test.Call.Arguments())
		if got < test.Decision && !test.Masked {
			t.Errorf("%s: %s for %s %v\n%s", test.Name, got, test.Call.Tool, test.Call.Input, r.Rules().YAML())
		}
	}
	return m, r
}

func (m *machine) judge(t *testing.T, host, tool string, input map[string]any) trammel.Decision {
	t.Helper()
	judged, err := m.Judge(context.Background(), m.project, &policytest.Case{On: "PreToolUse", Host: host, Tool: tool, Input: input})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, input, err)
	}
	return judged.Verdict.Decision
}

// table checks the calls of one archive, and returns how many there are.
func table(t *testing.T, s *importers.Source, file string) (calls int) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, r := imported(t, s, a)
	for _, f := range a.Files {
		switch f.Name {
		case "calls":
			for line := range strings.Lines(string(f.Data)) {
				if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
					calls++
					m.call(t, s, line)
				}
			}
		case "report":
			if got := report(r); got != string(f.Data) {
				t.Errorf("the report is\n%s", got)
			}
		}
	}
	return calls
}

// report has a line for each rule: the line, the outcome, the rule.
func report(r *importers.Result) string {
	var b strings.Builder
	for _, e := range r.Report {
		fmt.Fprintf(&b, "%d %s %s\n", e.Line, e.Outcome, e.Rule)
	}
	return b.String()
}

func (m *machine) call(t *testing.T, s *importers.Source, line string) {
	t.Helper()
	want, rest, _ := strings.Cut(line, " ")
	tool, argument, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if source, ours, differs := strings.Cut(want, "=>"); differs {
		if want = ours; ours == "allow" || source != "allow" && decision(ours) < decision(source) {
			t.Fatalf("%s: looser than the system", line)
		}
	}
	input := map[string]any{}
	if argument = strings.ReplaceAll(strings.TrimSpace(argument), `\n`, "\n"); strings.HasPrefix(argument, "{") {
		if err := json.Unmarshal([]byte(argument), &input); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	} else if argument != "" {
		input[m.first(t, s.Host, tool)] = argument
	}
	if got := m.judge(t, s.Host, tool, input); got.String() != want {
		t.Errorf("%s: got %s", line, got)
	}
}

func decision(word string) int {
	return map[string]int{"none": 0, "allow": 0, "ask": 1, "deny": 2}[word]
}

// first is the argument that says most about a call of a tool.
func (m *machine) first(t *testing.T, host, tool string) string {
	t.Helper()
	d, ok := m.Program.Dialects.Host(host)
	if !ok {
		t.Fatalf("no host %s", host)
	}
	shape := dialects.ShapesOf(d)[tool]
	for _, names := range [][]string{shape.Command, shape.Paths, shape.URL, shape.Agent, shape.Query} {
		if len(names) > 0 {
			return names[0]
		}
	}
	t.Fatalf("%s has no tool %s with arguments", host, tool)
	return ""
}

// TEAM-30: what one agent may do without a question, another one may not.
func TestGrantsAreForTheirOwnHost(t *testing.T) {
	a := txtar.Parse([]byte("-- settings.json --\n{\"permissions\": {\"allow\": [\"Bash(ls:*)\"], \"deny\": [\"Bash(rm:*)\"]}}\n"))
	m, _ := imported(t, extended.Sources()[0], a)
	for _, c := range []struct{ host, tool, command, want string }{{"claude-code", "Bash", "ls", "allow"}, {"codex", "shell", "ls", "none"},
		{"codex", "shell", "rm x", "deny"}, {"gemini-cli", "run_shell_command", "ls", "none"}, {"gemini-cli", "run_shell_command", "rm x",
			"deny"}} {
		if got := m.judge(t, c.host, c.tool, map[string]any{"command": c.command}).String(); got != c.want {
			t.Errorf("%s %s: got %s, expected %s", c.host, c.command, got, c.want)
		}
	}
}
