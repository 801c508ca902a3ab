package evidence

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/test/secrettest"
)

// FST-61: answers that differ in anything have different digests.
func TestDigestsTellAnswersApart(t *testing.T) {
	empty, output := "", "out"
	seen := map[string]int{}
	for i, a := range []trammel.Answer{
		{}, {Decision: trammel.Deny}, {Reason: "x"}, {Input: map[string]any{}}, {Input: map[string]any{"x": 1}}, {Output: &empty},
		{Output: &output}, {Context: []string{"x"}}, {Context: []string{"x", "x"}}, {Notice: "x"}, {Summary: "x"},
		{Facts: map[string]any{"x": 1}}, {Diagnostics: []string{"x"}}, {Approval: "x"},
		{Findings: []trammel.Finding{{}}}, {Signals: []trammel.Signal{{}}}, {Findings: []trammel.Finding{{Code: "x"}}},
		{Findings: []trammel.Finding{{Severity: "x"}}}, {Findings: []trammel.Finding{{Target: "x"}}},
		{Signals: []trammel.Signal{{Kind: "x"}}}, {Signals: []trammel.Signal{{Code: "x"}}}, {Signals: []trammel.Signal{{Severity: "x"}}},
		{Signals: []trammel.Signal{{Payload: map[string]any{"x": 1}}}},
	} {
		d := answerDigest(&a)
		if other, twice := seen[d]; twice {
			t.Errorf("answers %d and %d have the same digest", other, i)
		}
		seen[d] = i
	}
}

// A call that was denied has a key by which a person can let it pass; no other
// record has one.
func TestOnlyDeniedCallsHaveAKey(t *testing.T) {
	call := func(change func(ev *trammel.Event, v *trammel.Verdict)) string {
		ev := event()
		v := &trammel.Verdict{Event: ev, Answer: trammel.Denial("no")}
		change(ev, v)
		return FromVerdict(ev, v, Meta{}).Call
	}
	key := call(func(*trammel.Event, *trammel.Verdict) {})
	if key == "" {
		t.Fatal("a denied call has no key")
	}
	for name, change := range map[string]func(ev *trammel.Event, v *trammel.Verdict){
		"allowed":         func(_ *trammel.Event, v *trammel.Verdict) { v.Decision = trammel.Allow },
		"asked":           func(_ *trammel.Event, v *trammel.Verdict) { v.Decision = trammel.Ask },
		"no tool":         func(ev *trammel.Event, _ *trammel.Verdict) { ev.Tool = nil },
		"no event":        func(_ *trammel.Event, v *trammel.Verdict) { v.Event = nil },
		"has run already": func(ev *trammel.Event, _ *trammel.Verdict) { ev.Kind = trammel.PostToolUse },
		"not canonical":   func(ev *trammel.Event, _ *trammel.Verdict) { ev.Tool.Input["n"] = math.NaN() },
	} {
		if got := call(change); got != "" {
			t.Errorf("%s: has a key", name)
		}
	}
	for name, change := range map[string]func(ev *trammel.Event, v *trammel.Verdict){
		"tool":      func(ev *trammel.Event, _ *trammel.Verdict) { ev.Tool.Name = "Shell" },
		"arguments": func(ev *trammel.Event, _ *trammel.Verdict) { ev.Tool.Input["command"] = "ls" },
		"project":   func(ev *trammel.Event, _ *trammel.Verdict) { ev.Session.Project = "/q" },
		"agent":     func(ev *trammel.Event, _ *trammel.Verdict) { ev.Session.Agent = "other" },
		"rewritten": func(ev *trammel.Event, v *trammel.Verdict) {
			after := *ev
			after.Tool = &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls"}}
			v.Event = &after
		},
	} {
		if got := call(change); got == "" || got == key {
			t.Errorf("%s: %q is no key of its own", name, got)
		}
	}
}

// What a verdict changed is in its record: arguments as far as they are kept,
// the output as a digest.
func TestWhatAVerdictChanged(t *testing.T) {
	out := "new output"
	ev := event()
	v := &trammel.Verdict{Event: ev, Answer: trammel.Answer{Input: map[string]any{"b": "x", "a": "token=abc123def456"}, Output: &out}}
	for mode, want := range map[PayloadMode]string{
		PayloadRedacted: `{"a":"token=[REDACTED:token]","b":"x"}`, PayloadNone: "null",
	} {
		r := FromVerdict(ev, v, Meta{PayloadMode: mode}).Verdict
		if input, err := canonical.Append(nil, r.Input); err != nil || string(input) != want {
			t.Errorf("%s: %s, %v", mode, input, err)
		}
		if strings.Join(r.Rewrites, " ") != "a b (output)" || r.Output != canonical.Digest([]byte(out)) {
			t.Errorf("%s: %+v", mode, r)
		}
	}
	if r := FromVerdict(ev, &trammel.Verdict{Event: ev}, Meta{}).Verdict; r.Input != nil || r.Output != "" || r.Rewrites != nil {
		t.Errorf("nothing was changed: %+v", r)
	}
}

// A rewrite that turns a call towards a file made of secrets makes its record
// one of such a file.
func TestARewriteToASensitiveFile(t *testing.T) {
	ev := event()
	ev.Raw = []byte(`{"tool_response":"plain words of a file"}`)
	ev.Tool.Action = trammel.Action{Kind: trammel.ReadAction, Paths: []string{"/p/readme"}}
	after := *ev
	after.Tool = &trammel.ToolCall{Name: "Read", Action: trammel.Action{Kind: trammel.ReadAction, Paths: []string{"/p/.env"}}}
	v := &trammel.Verdict{Event: &after, Answer: trammel.Answer{Input: map[string]any{"path": "/p/.env"}}}
	if line := string(FromVerdict(ev, v, Meta{}).AppendJSON(nil)); strings.Contains(line, "plain words") {
		t.Error(line)
	}
	if line := string(FromVerdict(ev, nil, Meta{}).AppendJSON(nil)); !strings.Contains(line, "plain words") {
		t.Error(line)
	}
}

// Naming a file of secrets is no secret; what is written to it is.
func TestSummariesOfSensitiveFiles(t *testing.T) {
	for command, kept := range map[string]bool{
		"cat .env": true, "echo a=b > .env": false, "sort < .env": false, "tee .env": false, "echo a=b > notes": true, "ls\ncat .env": false,
	} {
		ev := event()
		ev.Tool.Action = trammel.Action{Kind: trammel.ShellAction, Command: command}
		if got := FromVerdict(ev, nil, Meta{}).Action.Summary; (got == command) != kept || !kept && got != redactedFile {
			t.Errorf("%q is summarized as %q", command, got)
		}
	}
}

// The summary of an action is what says most about it.
func TestSummaries(t *testing.T) {
	for want, a := range map[string]trammel.Action{
		"ls":     {Command: "ls", Paths: []string{"/a"}},
		"/a":     {Paths: []string{"/a", "/b"}, URL: "https://u"},
		"u.org":  {URL: "u.org", Query: "q"},
		"q":      {Query: "q", Tool: "t"},
		"t":      {Tool: "t", Agent: "a"},
		"helper": {Agent: "helper"},
	} {
		if got := summarize(&a).Summary; got != want {
			t.Errorf("%+v: %q, want %q", a, got, want)
		}
	}
}

// A record bears the time when the work began, else that of the event, else now.
func TestTimeOfARecord(t *testing.T) {
	began, sent := time.Unix(1000, 0), time.Unix(900, 0)
	ev := event()
	if got := FromVerdict(ev, nil, Meta{}).Time; time.Since(got) > time.Minute {
		t.Errorf("%v is not now", got)
	}
	ev.Time = sent
	if got := FromVerdict(ev, nil, Meta{}).Time; got != sent {
		t.Errorf("%v, want %v", got, sent)
	}
	if got := FromVerdict(ev, nil, Meta{Started: began}).Time; got != began {
		t.Errorf("%v, want %v", got, began)
	}
}

// What a hook on trial would have done is one word, whatever it said.
func TestWordsForTrials(t *testing.T) {
	out := "x"
	for want, run := range map[string]trammel.Run{
		"fail": {}, "nothing": {Would: &trammel.Answer{}}, "deny": {Would: &trammel.Answer{Decision: trammel.Deny, Output: &out}},
		"rewrite": {Would: &trammel.Answer{Output: &out, Context: []string{"x"}}}, "context": {Would: &trammel.Answer{Context: []string{"x"}}},
	} {
		run.Hook = &trammel.Hook{ID: "h", Trial: true}
		v := &trammel.Verdict{Event: event(), Runs: []trammel.Run{run}}
		if got := FromVerdict(event(), v, Meta{}).Hooks[0]; got.Trial != want || got.Decision != "" {
			t.Errorf("%+v, want %s", got, want)
		}
		run.Hook.Trial = false
		if got := FromVerdict(event(), v, Meta{}).Hooks[0].Trial; got != "" {
			t.Errorf("not on trial: %s", got)
		}
	}
}

// Events without bytes of a host still have a payload and a digest.
func TestEmbeddedEvents(t *testing.T) {
	ev := event()
	ev.Raw = nil
	r := FromVerdict(ev, &trammel.Verdict{Event: ev}, Meta{})
	if r.Input != canonical.DigestOf(map[string]any{"name": "Bash", "input": map[string]any{"command": "deploy --token abc123def456"}}) {
		t.Errorf("the digest is %s", r.Input)
	}
	for want, ev := range map[string]*trammel.Event{
		`null`:                                   {},
		`{"prompt":"hi"}`:                        {Prompt: &trammel.Prompt{Text: "hi"}},
		`{"tool_input":{"a":1},"tool_name":"T"}`: {Tool: &trammel.ToolCall{Name: "T", Input: map[string]any{"a": 1}, Output: "o"}},
		`{"tool_input":{},"tool_name":"T","tool_response":"o"}`: {
			Tool: &trammel.ToolCall{Name: "T", Input: map[string]any{}, Done: true, Output: "o"}},
	} {
		if got, err := canonical.Append(nil, FromVerdict(ev, nil, Meta{}).Payload); err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

// MCP-57: of a large message of MCP the start is kept, without secrets, and the
// digest and size of all of it.
func TestLargeResultIsShortened(t *testing.T) {
	maker := secrettest.Makers()[0]
	secret, key := maker.Make(rand.New(rand.NewPCG(1, 2)))
	for _, exchange := range []*trammel.Exchange{nil, {Digest: "sha256:all", Size: 7 << 20}} {
		ev := event()
		ev.Kind, ev.Raw, ev.Exchange = trammel.PostToolUse, nil, exchange
		// the secret is where the text is cut
		ev.Tool.Done, ev.Tool.Output = true, strings.Repeat("x", maxResponse-30)+" "+secret+strings.Repeat(" more", 1000)
		r := FromVerdict(ev, &trammel.Verdict{Event: ev}, Meta{PayloadMode: PayloadRedacted})
		text, _ := r.Payload.(map[string]any)["tool_response"].(string)
		whole := strings.HasSuffix(text, " more")
		if whole != (exchange == nil) || len(text) < maxResponse || strings.Contains(text, key[:len(key)/2]) {
			t.Errorf("%+v: %d bytes of %d", exchange, len(text), len(ev.Tool.Output))
		}
		if exchange != nil && (r.Input != "sha256:all" || r.Size != 7<<20) {
			t.Errorf("digest %s of %d bytes", r.Input, r.Size)
		}
	}
}
