package dialectsuite

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Payload is what a host sends for one event.
type Payload struct {
	Label string // the host's event, with the tool: PreToolUse:Bash
	Raw   []byte
}

// Payloads reads payloads.jsonl, and documented.jsonl if there is one: lines of
// {"event":…,"payload":…}. The former were recorded, the latter are written
// from the host's documentation for events that were not.
func Payloads(t testing.TB) []Payload {
	t.Helper()
	out := payloads(t, "payloads.jsonl")
	if len(out) == 0 {
		t.Fatal("payloads.jsonl is empty")
	}
	if _, err := os.Stat(filepath.Join("testdata", "documented.jsonl")); err == nil {
		out = append(out, payloads(t, "documented.jsonl")...)
	}
	return out
}

func payloads(t testing.TB, name string) []Payload {
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []Payload
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		dec := jsontext.NewDecoder(bytes.NewBuffer(bytes.Clone(lines.Bytes())))
		var p Payload
		for dec.ReadToken(); dec.PeekKind() == '"'; {
			key, _ := dec.ReadToken()
			field := key.String()
			value, err := dec.ReadValue()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch field {
			case "event":
				label, _ := jsontext.AppendUnquote(nil, value)
				p.Label = string(label)
			case "payload":
				p.Raw = bytes.Clone(value)
			}
		}
		out = append(out, p)
	}
	return out
}

// Decodes checks that each real payload means what expected.jsonl says, with
// and without the event's name from the wiring.
func Decodes(t *testing.T, d trammel.HostDialect) {
	var got bytes.Buffer
	for _, p := range Payloads(t) {
		ev, err := d.DecodeEvent(p.Raw, "")
		if err != nil {
			t.Errorf("%s: %v", p.Label, err)
			continue
		}
		if ev.Host != d.Name() || !bytes.Equal(ev.Raw, p.Raw) {
			t.Errorf("%s: host %q, or the raw payload was not kept", p.Label, ev.Host)
		}
		if named, err := d.DecodeEvent(p.Raw, ev.Name); err != nil || named.Kind != ev.Kind {
			t.Errorf("%s: with the name from the wiring: %v", p.Label, err)
		}
		ev.Prepare()
		got.Write(summary(p.Label, ev))
		got.WriteByte('\n')
	}
	golden(t, "expected.jsonl", got.Bytes())
}

// summary is what matters of an event, on one line.
func summary(label string, ev *trammel.Event) []byte {
	var w strict.Writer
	w.Open()
	w.Text("event", label)
	w.Text("kind", ev.Kind.String())
	w.Text("name", ev.Name)
	s := ev.Session
	w.Flag("session", s.ID != "" && s.Dir != "")
	w.Flag("bypass", s.Bypass)
	w.Text("agent", s.Agent)
	w.Flag("child", len(s.Parents) > 0)
	if t := ev.Tool; t != nil {
		w.Text("tool", t.Name)
		w.Text("action", t.Action.Kind.String())
		w.Text("command", t.Action.Command)
		w.List("paths", t.Action.Paths)
		w.Text("content", t.Action.Content)
		w.Text("url", t.Action.URL)
		w.Text("query", t.Action.Query)
		w.Text("server", t.Action.Server)
		w.Text("server_tool", t.Action.Tool)
		w.Text("agent_type", t.Action.Agent)
		w.Flag("done", t.Done)
		w.Flag("failed", t.Failed)
		w.Text("output", t.Output)
		w.Text("error", t.Error)
		w.Number("duration_ms", t.Duration.Milliseconds())
	}
	if p := ev.Prompt; p != nil {
		w.Text("prompt", p.Text)
		w.Text("slash", p.Command)
	}
	if ev.Stop != nil {
		w.Text("last", ev.Stop.Message)
		w.Flag("stop_active", ev.Stop.Active)
	}
	if ev.Task != nil {
		w.Text("task", ev.Task.Subject)
	}
	if ev.Notice != nil {
		w.Text("notice", ev.Notice.Message)
		w.Text("notice_kind", ev.Notice.Kind)
	}
	if ev.Switch != nil {
		w.Text("from", ev.Switch.From)
		w.Text("to", ev.Switch.To)
		var models []string
		for _, m := range ev.Switch.Models {
			models = append(models, m.Provider+" "+m.Name+" "+m.URL+m.Unload)
		}
		w.List("models", models)
	}
	if ev.Compaction != nil {
		w.Text("summary", ev.Compaction.Summary)
	}
	w.Text("source", ev.Source)
	w.Text("reason", ev.Reason)
	w.Map("fields", ev.Fields)
	w.Close()
	return w.Bytes()
}
