package imports

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/trammel-dev/trammel/dialects/extended"
	"github.com/trammel-dev/trammel/importers"
)

// checked is a command, and what codex execpolicy check has said about it; an
// end-to-end test asks it again.
type checked struct {
	Command  []string `json:"command"`
	Decision string   `json:"decision"`
}

const (
	checkedFile = "testdata/codex-execpolicy.jsonl"
	checkedSize = 2000
)

// TEAM-31: over 2,000 made-up commands, what is imported from Codex is never
// looser than what Codex's own checker says, allows only what that allows, and
// otherwise says the same but for what the report calls wider.
func TestAgainstCodexExecpolicy(t *testing.T) {
	a, err := txtar.ParseFile("testdata/codex-execpolicy.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var source *importers.Source
	for _, s := range extended.Sources() {
		if strings.HasSuffix(s.Files[0], ".rules") {
			source = s
		}
	}
	m, _ := imported(t, source, a)
	ours := map[string]string{"": "none", "prompt": "ask", "forbidden": "deny", "allow": "allow"}
	same, wider, narrower := 0, 0, 0
	for _, c := range recorded(t) {
		line := importers.Join(c.Command)
		got, want := m.judge(t, source.Host, "shell", map[string]any{"command": line}).String(), ours[c.Decision]
		switch {
		case got == want:
			same++
		case got == "allow" || decision(got) < decision(want):
			t.Errorf("%s: got %s, and codex says %s", line, got, want)
		case want == "allow" && got == "none":
			narrower++
		default:
			wider++
		}
	}
	t.Logf("%d the same, %d wider, %d narrower", same, wider, narrower)
	if same < checkedSize*85/100 {
		t.Errorf("only %d of %d are the same", same, checkedSize)
	}
}

func recorded(t *testing.T) (out []checked) {
	t.Helper()
	f, err := os.Open(checkedFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c checked
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if len(out) != checkedSize {
		t.Fatalf("%d commands, expected %d", len(out), checkedSize)
	}
	return out
}
