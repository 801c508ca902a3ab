package dialectsuite

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
)

// verdicts are what an event can come to, one power at a time.
func verdicts() []namedVerdict {
	replaced := "replaced"
	patch := map[string]any{"command": "ls -l"}
	a := func(a trammel.Answer) trammel.Verdict { return trammel.Verdict{Answer: a} }
	return []namedVerdict{
		{"none", a(trammel.Answer{})},
		{"deny", a(trammel.Answer{Decision: trammel.Deny, Reason: "because \"so\" <&>"})},
		{"deny without a reason", a(trammel.Answer{Decision: trammel.Deny})},
		{"ask", a(trammel.Answer{Decision: trammel.Ask, Reason: "sure?"})},
		{"allow", a(trammel.Answer{Decision: trammel.Allow, Reason: "fine"})},
		{"allow and grant", trammel.Verdict{Answer: trammel.Answer{Decision: trammel.Allow, Reason: "fine"}, Granted: true}},
		{"rewrite input", a(trammel.Answer{Input: patch})},
		{"rewrite input and grant", trammel.Verdict{Answer: trammel.Answer{Decision: trammel.Allow, Input: patch}, Granted: true}},
		{"rewrite input and ask", a(trammel.Answer{Decision: trammel.Ask, Reason: "sure?", Input: patch})},
		{"rewrite output", a(trammel.Answer{Output: &replaced})},
		{"context", a(trammel.Answer{Context: []string{"one", "two"}})},
		{"notice", a(trammel.Answer{Notice: "for you"})},
		{"all at once", a(trammel.Answer{Decision: trammel.Deny, Reason: "no", Input: patch, Output: &replaced, Context: []string{"c"},
			Notice: "for you"})},
	}
}

type namedVerdict struct {
	name    string
	verdict trammel.Verdict
}

// Encodes checks what the host is answered to each verdict on each of its
// events, byte for byte, after what it cannot do has been degraded. Events are
// the ones to answer; each needs a distinct name.
func Encodes(t *testing.T, d trammel.HostDialect, events []*trammel.Event) {
	for _, ev := range events {
		t.Run(ev.Name, func(t *testing.T) {
			var got bytes.Buffer
			for _, c := range verdicts() {
				v := c.verdict
				deferred := dialects.Degrade(ev, &v, dialects.PowersFor(d, ev, &v))
				r := d.EncodeVerdict(ev, &v)
				wellFormed(t, r)
				if v.Decision == trammel.Deny {
					saysWhy(t, c.name, r, v.Reason)
				}
				got.Write(record(c.name, &v, deferred, r))
				got.WriteByte('\n')
			}
			golden(t, "golden/"+ev.Name+".jsonl", got.Bytes())
		})
	}
}

// saysWhy checks that a denial has its reason in it: hosts ignore some without.
func saysWhy(t *testing.T, name string, r trammel.Reply, reason string) {
	t.Helper()
	var w strict.Writer
	w.String(reason)
	inJSON := bytes.Contains(r.Stdout, w.Bytes())
	onStderr := r.Exit == 2 && bytes.Contains(r.Stderr, []byte(reason))
	if reason == "" || !inJSON && !onStderr {
		t.Errorf("%s: a denial without its reason %q: %q, %q, %d", name, reason, r.Stdout, r.Stderr, r.Exit)
	}
}

func record(name string, v *trammel.Verdict, deferred []string, r trammel.Reply) []byte {
	var w strict.Writer
	w.Open()
	w.Text("verdict", name)
	w.Text("stdout", string(r.Stdout))
	w.Text("stderr", string(r.Stderr))
	w.Number("exit", int64(r.Exit))
	for _, d := range v.Degraded {
		w.Text("degraded "+d.Wanted, fmt.Sprintf("%s: %s", d.Became, d.Why))
	}
	w.List("deferred", deferred)
	w.Close()
	return w.Bytes()
}
