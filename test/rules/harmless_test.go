package rules

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// readme are rules as the README and the demo have them, and some as people write.
const readme = `
  - id: no-force-push
    on: PreToolUse
    match: { program: git }
    deny: { when: 'args.has("push") && (args.has("--force", "-f") || args.starts("+"))', reason: x }
  - id: no-secrets
    on: PreToolUse
    match: { action: [read, write, edit], path: ".env*" }
    deny: x
  - id: migrations
    on: PreToolUse
    match: { action: [write, edit, delete], path: "db/migrations/**" }
    deny: x
  - id: deploy
    on: PreToolUse
    match: { program: [./deploy.sh, launch-missiles] }
    ask: x
  - id: host
    on: PreToolUse
    match: { to: "*.evil.example" }
    deny: x
`

// Ordinary commands raise no alarm, for all that doubt counts.
func TestHarmlessCommandsPass(t *testing.T) {
	m := machineWith(t, readme)
	total, alarms := 0, 0
	for _, name := range []string{"redteam/benign.jsonl", "public/safe-chains.dev.jsonl"} {
		f, err := os.Open(filepath.Join("../../../shared/corpora", name))
		if err != nil {
			t.Skip("../shared/corpora is not there")
		}
		for s := bufio.NewScanner(f); s.Scan(); {
			var c struct {
				Cmd, Label, Goal string
			}
			if err := json.Unmarshal(s.Bytes(), &c); err != nil {
				t.Fatal(err)
			}
			if c.Label != "harmless" && c.Goal != "benign" || c.Cmd == "" {
				continue
			}
			total++
			if got := m.judge(t, "claude-code", "Bash", c.Cmd); got != "none" {
				alarms++
				t.Logf("%s: %s", got, c.Cmd)
			}
		}
		f.Close()
	}
	if t.Logf("%d alarms in %d harmless commands", alarms, total); alarms*100 > total*2 {
		t.Errorf("%d alarms in %d harmless commands, at most 2 %% are allowed", alarms, total)
	}
}
