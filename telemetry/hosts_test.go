package telemetry

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	dialects "github.com/trammel-dev/trammel/dialects/standard"
)

// FLOW-12: what real agents sent. Neither channel shows a prompt, an argument
// or an output, and analytics does not show where it happened.
func TestFLOW12RealPayloads(t *testing.T) {
	files, _ := filepath.Glob("../../shared/hosts/*.jsonl")
	if len(files) == 0 {
		t.Skip("there are no payloads of real agents here")
	}
	reported := 0
	for _, name := range files {
		host := strings.TrimSuffix(filepath.Base(name), ".jsonl")
		d, ok := dialects.Dialects().Host(host)
		if !ok {
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 8<<20)
		for lines.Scan() {
			var line struct {
				Event   string
				Payload json.RawMessage
			}
			if json.Unmarshal(lines.Bytes(), &line) != nil {
				continue
			}
			name, _, _ := strings.Cut(line.Event, ":") // some say which tool, too
			ev, err := d.DecodeEvent(line.Payload, name)
			if err != nil || Canonical(ev.Kind) == "" {
				continue
			}
			ev.Prepare()
			got := emit(t, ev, Full(), Analytics())
			reported++
			for channel, text := range got {
				for _, word := range []string{"touch the file", "tool-ran", "echo hello"} {
					if strings.Contains(text, word) && !strings.Contains(text, `"query":`) {
						t.Errorf("%s: %s shows %q: %s", host, channel, word, text)
					}
				}
			}
			if strings.Contains(got["analytics"], "/home/dev") {
				t.Errorf("%s: analytics shows a path: %s", host, got["analytics"])
			}
		}
	}
	if reported < 20 {
		t.Errorf("only %d events were reported", reported)
	}
}
