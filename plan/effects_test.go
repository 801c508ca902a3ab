package plan

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/world"
)

// lines are the command lines of all corpora that are there: our own, and those
// beside the project.
func lines(t *testing.T) []string {
	var out []string
	own, _ := filepath.Glob("../effects/testdata/*/*.txt")
	for _, file := range own {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(string(data), "\n===\n") {
			line, _, _ := strings.Cut(part, "\n---\n")
			out = append(out, line)
		}
	}
	shared, _ := filepath.Glob("../../shared/corpora/*/*.jsonl")
	for _, file := range shared {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		for s := bufio.NewScanner(f); s.Scan(); {
			var c struct{ Cmd, Command string }
			if json.Unmarshal(s.Bytes(), &c) == nil && c.Cmd+c.Command != "" {
				out = append(out, c.Cmd+c.Command)
			}
		}
		f.Close()
	}
	return out
}

// Whatever effects list, a match on it holds, and the index finds the hook: for
// every program {program}, for every file {action, path} and {path}, for every
// host {to}, also together with the program (enforcement 1-5).
func TestEveryEffectIsMatched(t *testing.T) {
	checked := 0
	for _, line := range lines(t) {
		ev := &trammel.Event{Kind: trammel.PreToolUse, World: &world.Frozen{HomeDir: "/home/dev"},
			Session: trammel.Session{Dir: "/home/dev/proj", Project: "/home/dev/proj"},
			Tool:    &trammel.ToolCall{Name: "Bash", Action: trammel.Action{Kind: trammel.ShellAction, Command: line}}}
		ev.Prepare()
		hooks := matchesOf(effects.Of(ev))
		if len(hooks) == 0 {
			continue
		}
		p, err := Decode(Encode(hooks, DefaultSettings(), "d", nil), "d")
		if err != nil {
			t.Fatal(err)
		}
		selected, err := p.Select(ev)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for i := range selected {
			found[selected[i].ID] = true
		}
		for i := range hooks {
			checked++
			m := hooks[i].Match.Bind()
			if !found[hooks[i].ID] || !m.Matches(ev) {
				t.Errorf("%q: %+v: selected %v, matches %v", line, hooks[i].Match, found[hooks[i].ID], m.Matches(ev))
			}
		}
	}
	if t.Logf("%d matches", checked); checked < 2000 {
		t.Errorf("only %d matches: this test proves little", checked)
	}
}

// matchesOf has a hook for each effect that is certain.
func matchesOf(s *effects.Set) []Hook {
	var out []Hook
	seen := map[string]bool{}
	add := func(m Match) {
		if id := fmt.Sprintf("%+v", m); !seen[id] {
			seen[id] = true
			out = append(out, Hook{ID: id, On: []trammel.Kind{trammel.PreToolUse}, Kind: "rule", May: trammel.Guard, Match: m})
		}
	}
	program := func(run int) string {
		if run < 0 || strings.ContainsAny(s.Runs[run].Program, `*?[/\`) {
			return ""
		}
		return s.Runs[run].Program
	}
	for i := range s.Runs {
		if name := program(i); name != "" {
			add(Match{Programs: []string{name}})
			add(Match{Programs: []string{name}, Actions: []trammel.ActionKind{trammel.ShellAction}})
		}
	}
	actions := map[model.Op][]trammel.ActionKind{
		effects.Read: {trammel.ReadAction}, effects.Write: {trammel.WriteAction, trammel.EditAction}, effects.Delete: {trammel.DeleteAction},
		effects.Move: {trammel.ReadAction, trammel.DeleteAction}, effects.Link: {trammel.ReadAction, trammel.WriteAction},
		effects.Mode: {trammel.WriteAction}, effects.Search: {trammel.SearchAction},
	}
	for i := range s.Files {
		f := &s.Files[i]
		if !strings.HasPrefix(f.Path.Abs, "/") || f.Path.Some || strings.ContainsAny(f.Path.Abs, `*?[{\!`) || len(f.Path.Abs) > 1000 {
			continue
		}
		add(Match{Paths: []string{f.Path.Abs}})
		for _, a := range actions[f.Op] {
			add(Match{Actions: []trammel.ActionKind{a}, Paths: []string{f.Path.Abs}})
		}
		if name := program(f.Run); name != "" {
			add(Match{Programs: []string{name}, Paths: []string{f.Path.Abs}})
		}
	}
	for i := range s.Nets {
		if n := &s.Nets[i]; !n.Listens && n.Host != "" && !strings.ContainsAny(n.Host, `*?[\`) {
			add(Match{To: []string{n.Host}})
			add(Match{To: []string{n.Host}, Actions: []trammel.ActionKind{trammel.FetchAction}})
		}
	}
	return out
}
