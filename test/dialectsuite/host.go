package dialectsuite

import (
	"slices"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Host runs every test that a dialect for a host has to pass: payloads mean what
// they should, verdicts are written as they should be, broken payloads are refused,
// and the table of events is right about what each event can do.
func Host(t *testing.T, d trammel.HostDialect, h *dialects.Host, wires ...Wire) {
	t.Run("decodes", func(t *testing.T) { Decodes(t, d) })
	t.Run("encodes", func(t *testing.T) { Encodes(t, d, Events(t, d)) })
	t.Run("table", func(t *testing.T) { Table(t, d, h) })
	for _, w := range wires {
		t.Run("hostile/"+w.Event, func(t *testing.T) { Hostile(t, d, w) })
	}
}

// Events is one event of each name that there is a payload for.
func Events(t testing.TB, d trammel.HostDialect) []*trammel.Event {
	t.Helper()
	var out []*trammel.Event
	seen := map[string]bool{}
	for _, p := range Payloads(t) {
		ev, err := d.DecodeEvent(p.Raw, "")
		if err != nil {
			t.Fatal(err)
		}
		if !seen[ev.Name] {
			seen[ev.Name] = true
			out = append(out, ev)
		}
	}
	return out
}

// Table checks a host's table of events: each name once, no power beyond what
// the catalogue knows of the kind, wired events with time to answer, and a
// payload for each event that is wired.
func Table(t *testing.T, d trammel.HostDialect, h *dialects.Host) {
	if d.Name() != h.System {
		t.Errorf("the dialect is %q, its host %q", d.Name(), h.System)
	}
	paid := Events(t, d)
	names := map[string]bool{}
	for _, e := range h.Events() {
		if names[e.Name] {
			t.Errorf("%s is listed twice", e.Name)
		}
		names[e.Name] = true
		if found := h.Event(e.Name); found == nil || *found != e || h.EventName(e.Kind) == "" || d.Powers(e.Kind).Can&e.Can != e.Can {
			t.Errorf("%s is not found by its name or its kind: do the columns of the table begin under their titles?", e.Name)
		}
		if beyond := e.Can &^ e.Kind.Can(); beyond != 0 {
			t.Errorf("%s: %v is more than the catalogue knows of", e.Name, beyond)
		}
		if p := d.Powers(e.Kind); e.Wire != dialects.NotWired && p.Deadline <= 0 {
			t.Errorf("%s is wired, and has no deadline", e.Name)
		}
		if e.Kind == trammel.PreToolUse && e.Wire == dialects.Open {
			t.Errorf("%s is wired so that it fails open", e.Name)
		}
		if e.Wire != dialects.NotWired && !slices.ContainsFunc(paid, func(ev *trammel.Event) bool { return ev.Name == e.Name }) {
			t.Errorf("%s is wired, and there is no payload of it", e.Name)
		}
	}
	if h.Wiring != nil && (!h.Wires(trammel.PreToolUse) || len(h.Facts().Settings) == 0 || len(h.Facts().Programs) == 0) {
		t.Error("a host that is wired needs a guard before tool calls, files that are protected, and a program")
	}
}

// Fuzz checks that whatever comes is an event or an input error, that a denial
// always leaves in some form, and that what goes out as an event comes back as
// the same kind, if the language has both halves.
func Fuzz(f *testing.F, d trammel.HostDialect) {
	for _, p := range Payloads(f) {
		f.Add(p.Raw, "")
	}
	f.Add([]byte(`{"hook_event_name":"PreToolUse","TOOL_NAME":1}`), "PreToolUse")
	hook, _ := d.(trammel.HookDialect)
	f.Fuzz(func(t *testing.T, raw []byte, name string) {
		ev, err := d.DecodeEvent(raw, name)
		if ev == nil {
			t.Fatal("no event")
		}
		if err != nil && trammel.CodeOf(err) != trammel.CodeInput {
			t.Fatal(err)
		}
		v := trammel.Verdict{Answer: trammel.Denial("no")}
		r := d.EncodeVerdict(ev, &v)
		if v.Decision == trammel.Deny && len(r.Stdout) == 0 && r.Exit != 2 {
			t.Fatal("a denial got lost")
		}
		if v.Decision == trammel.Deny && len(r.Stdout) > 0 {
			if _, err := strict.Object(r.Stdout, strict.Limits{}); err != nil {
				t.Fatalf("%s: %v", r.Stdout, err)
			}
		}
		if err != nil || hook == nil {
			return
		}
		out, err := hook.EncodeEvent(ev)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := d.DecodeEvent(out, ""); err != nil || again.Kind != ev.Kind {
			t.Fatalf("%s: kind %v, %v", out, again.Kind, err)
		}
	})
}
