package rules

import (
	"context"
	"os"
	"strings"
	"testing"
)

// enforcement 1-3: explain names the effect that a rule's condition holds for. See
// testdata/explain.
func TestExplainNamesTheEffect(t *testing.T) {
	var data []byte
	for _, name := range []string{"effects.txt", "matches.txt"} {
		one, err := os.ReadFile("testdata/explain/" + name)
		if err != nil {
			t.Fatal(err)
		}
		data = append(append(data, one...), "\n===\n"...)
	}
	for block := range strings.SplitSeq(string(data), "\n===\n") {
		var m *machine
		for line := range strings.Lines(block) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			if when, ok := strings.CutPrefix(line, "when: "); ok {
				m = machineWith(t, "  - { id: x, on: PreToolUse, deny: x, when: '"+when+"' }\n")
				continue
			}
			if match, ok := strings.CutPrefix(line, "match: "); ok {
				m = machineWith(t, "  - { id: x, on: PreToolUse, match: "+match+", deny: x }\n")
				continue
			}
			call, want, _ := strings.Cut(line, " =>")
			tool := "Bash"
			if strings.HasPrefix(call, "{") {
				tool = "Read"
			}
			_, hooks, err := m.Explain(context.Background(), m.event(t, "claude-code", tool, call), []string{m.project})
			if err != nil || len(hooks) != 1 {
				t.Fatalf("%s: %d hooks, %v", call, len(hooks), err)
			}
			target := &hooks[0].Target
			got := target.What
			if target.Doubt != "" {
				got = "possibly " + got
			}
			if want = strings.ReplaceAll(strings.TrimSpace(want), "PROJ", m.project); got != want {
				t.Errorf("%s\n%s: got %q, want %q", block, call, got, want)
			}
			checkTold(t, call, target.What, target.Path, target.Command)
		}
	}
}

// checkTold compares the parts of a target with its words.
func checkTold(t *testing.T, call, what, path, command string) {
	t.Helper()
	if !strings.Contains(what, path) || !strings.Contains(what, command) || path == "" && command == "" && strings.Contains(what, "runs") {
		t.Errorf("%s: %q with path %q and command %q", call, what, path, command)
	}
}

// explain names what an allow rule, or an exception, does not cover. See testdata/explain.
func TestExplainNamesWhatIsNotCovered(t *testing.T) {
	data, err := os.ReadFile("testdata/explain/uncovered.txt")
	if err != nil {
		t.Fatal(err)
	}
	var m *machine
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if rule, ok := strings.CutPrefix(line, "rule: "); ok {
			rule, exception, excepted := strings.Cut(rule, " exception: ")
			if rule = "  - { id: x, on: PreToolUse, " + rule + " }\n"; excepted {
				rule += "exceptions:\n  - { hook: x, until: UNTIL, reason: r, " + exception + " }\n"
			}
			m = machineWith(t, rule)
			continue
		}
		call, want, _ := strings.Cut(line, " =>")
		_, hooks, err := m.Explain(context.Background(), m.event(t, "claude-code", "Bash", call), []string{m.project})
		if err != nil || len(hooks) != 1 || hooks[0].Run == nil {
			t.Fatalf("%s: %v, %v", call, hooks, err)
		}
		got := strings.Join(hooks[0].Run.Answer.Diagnostics, "; ")
		if want = strings.ReplaceAll(strings.TrimSpace(want), "PROJ", m.project); (want == "") != (got == "") || !strings.HasSuffix(got, want) {
			t.Errorf("%s: got %q, want %q", call, got, want)
		}
	}
}
