package rules

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/testfile"
)

// enforcement 6: spellings of other agents mean what their authors mean, or are refused.
// See testdata/spellings.
func TestForeignSpellings(t *testing.T) {
	data, err := os.ReadFile("testdata/spellings/agents.txt")
	if err != nil {
		t.Fatal(err)
	}
	disk := newDisk(t)
	for n, line := range strings.Split(string(data), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		match, words, refused := strings.Cut(line, " ! ")
		match, calls, _ := strings.Cut(match, " =>")
		hit, miss, _ := strings.Cut(calls, " =>")
		m := machineIn(t, disk, strconv.Itoa(n), "  - { id: r, on: PreToolUse, match: "+match+", deny: x }\n")
		if refused {
			if err := m.refusal(); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%s: %v", line, err)
			}
			continue
		}
		for want, call := range map[string]string{"deny": strings.TrimSpace(hit), "none": strings.TrimSpace(miss)} {
			if call == "" {
				continue
			}
			tool, input, _ := strings.Cut(call, " ")
			if err := m.refusal(); err != nil {
				t.Errorf("%s: %v", match, err)
				break
			}
			if got := m.judge(t, "claude-code", tool, input); got != want {
				t.Errorf("%s\n%s: got %s, want %s", match, call, got, want)
			}
		}
	}
}

// enforcement 6: files of other systems are refused, with how to write them here.
func TestForeignDocuments(t *testing.T) {
	data, err := os.ReadFile("testdata/spellings/documents.txt")
	if err != nil {
		t.Fatal(err)
	}
	disk := newDisk(t)
	for n, block := range strings.Split(string(data), "\n===\n") {
		document, words, ok := strings.Cut(block, "\n---\n")
		if !ok {
			continue
		}
		m := machineIn(t, disk, strconv.Itoa(n), "")
		testfile.Write(t, filepath.Join(disk, strconv.Itoa(n), "user/trammel.yaml"), document+"\n", 0o600)
		err := m.refusal()
		for line := range strings.Lines(words) {
			if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(line)) {
				t.Errorf("%s\n%v, expected %s", document, err, line)
			}
		}
	}
}

// refusal is why the rules do not compile.
func (m *machine) refusal() error {
	_, err := m.Rehearse(context.Background(), &trammel.Event{Kind: trammel.PreToolUse, Host: "claude-code",
		Tool: &trammel.ToolCall{Name: "Bash"}, Session: trammel.Session{Dir: m.project}}, []string{m.project})
	return err
}
