package standard

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/dialects"
)

// TEAM-02: the payload decides the dialect. Every payload that was seen of a host
// is its own; a tool call of another host that reads the same settings is known
// as that one's, and is answered in its shape.
func TestPayloadDecides(t *testing.T) {
	folders := map[string]string{"claude-code": "claudecode", "copilot-cli": "copilot", "vscode": "vscode", "cursor": "cursor"}
	told := 0
	for _, h := range Hosts() {
		if len(h.Facts().Readers) == 0 {
			continue
		}
		for sender, folder := range folders {
			for event, payload := range payloadsOf(t, folder) {
				got := h.Reader(payload)
				switch tool := strings.Contains(strings.ToLower(event), "tooluse"); {
				case sender == h.System && got != "":
					t.Errorf("%s: its %s is taken for one of %s", h.System, event, got)
				case sender != h.System && got != "" && got != sender && tool:
					t.Errorf("%s: %s of %s is taken for one of %s", h.System, event, sender, got)
				case sender != h.System && got == sender:
					told++
				case tool && reads(h, sender):
					t.Errorf("%s: %s of %s is not known", h.System, event, sender)
				}
			}
		}
	}
	if told < 20 {
		t.Errorf("only %d payloads were told apart", told)
	}
	for hint, c := range map[string]struct{ host, payload, says string }{
		"claude-code": {"copilot-cli", `{"sessionId":"s","timestamp":1,"cwd":"/p","toolName":"bash","toolArgs":{"command":"ls"}}`, "preToolUse"},
		"vscode": {"copilot-cli", `{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"t","cwd":"/p","tool_name":"Bash",` +
			`"tool_input":{"command":"ls"}}`, "PreToolUse"},
	} {
		dialect, _ := Dialects().Host(hint)
		_, err := dialect.DecodeEvent([]byte(c.payload), "PreToolUse")
		sent, ok := err.(*dialects.SentBy)
		if !ok || sent.Host != c.host {
			t.Errorf("%s: %v", hint, err)
			continue
		}
		dialect, _ = Dialects().Host(sent.Host)
		if ev, err := dialect.DecodeEvent([]byte(c.payload), "PreToolUse"); err != nil || ev.Name != c.says {
			t.Errorf("%s: %+v, %v", hint, ev, err)
		}
	}
}

func reads(h *dialects.Host, other string) bool {
	for _, line := range h.Facts().Readers {
		if strings.HasPrefix(line, other+" ") {
			return true
		}
	}
	return false
}

// payloadsOf are the recorded payloads of a host, by event.
func payloadsOf(t *testing.T, folder string) map[string]map[string]any {
	f, err := os.Open(filepath.Join("..", folder, "testdata", "payloads.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]map[string]any{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct {
			Event   string
			Payload map[string]any
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil {
			out[line.Event] = line.Payload
		}
	}
	return out
}
