package dockeragent

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

// outcome is what a hook's run comes to on an event, in the terms of
// docker-agent's executor.
type outcome struct {
	Allowed    bool           `json:"allowed"`
	Permission bool           `json:"permission"`
	Decision   string         `json:"decision"`
	Message    string         `json:"message"`
	Context    string         `json:"context"`
	System     string         `json:"system"`
	Input      map[string]any `json:"input"`
	Messages   int            `json:"messages"`
	Response   *string        `json:"response"`
	Summary    string         `json:"summary"`
	Metadata   map[string]any `json:"metadata"`
}

// replayed is one way for a hook to end, and what the executor made of it.
type replayed struct {
	Output  string `json:"output"`
	Exit    int    `json:"exit"`
	Stdout  string `json:"stdout"`
	Stderr  string `json:"stderr"`
	Fails   bool   `json:"fails"`
	Results []struct {
		outcome
		OnError string `json:"on_error"`
		On      string `json:"on"`
	} `json:"results"`
}

// difference is a way in which we differ. Its reason stands in
// docs/docker-agent.md, under these words.
type difference struct {
	reason string
	holds  func(kind trammel.Kind, r *replayed, theirs, ours *outcome) bool
}

// The first that holds counts.
var differences = []difference{
	{"an exit code other than 0 and 2 is a failure", func(_ trammel.Kind, r *replayed, theirs, ours *outcome) bool {
		return !r.Fails && (r.Exit == 1 || r.Exit == 127) && theirs.Allowed && !ours.Allowed
	}},
	{"An answer that begins with `{` and is invalid is a failure", func(_ trammel.Kind, r *replayed, theirs, ours *outcome) bool {
		return slices.Contains([]string{"cut off", "two objects", "text behind", "continue as text", "decision blok", "decision deny",
			"permission alow", "camel case"}, r.Output)
	}},
	{"where nothing can be blocked, a block becomes a notice", func(kind trammel.Kind, _ *replayed, theirs, ours *outcome) bool {
		return !theirs.Allowed && ours.Allowed && !Dialect.blocks(kind)
	}},
	{"is a denial on every event that can block", func(kind trammel.Kind, r *replayed, theirs, ours *outcome) bool {
		return strings.Contains(r.Stdout, `"permission_decision":"deny"`) && theirs.Allowed && (!ours.Allowed || !Dialect.blocks(kind))
	}},
	{"a rewrite counts wherever something can be rewritten", func(kind trammel.Kind, r *replayed, theirs, ours *outcome) bool {
		return kind == trammel.PermissionRequest && r.Output == "rewrite" || kind == trammel.PostToolUse &&
			strings.HasSuffix(r.Output, "response")
	}},
	{"metadata counts on both lanes", func(kind trammel.Kind, r *replayed, theirs, ours *outcome) bool {
		return kind == trammel.PreToolUse && r.Output == "metadata"
	}},
	{"context that nobody reads is not collected", func(kind trammel.Kind, r *replayed, theirs, ours *outcome) bool {
		return theirs.Context != "" && ours.Context == "" && theirs.Allowed == ours.Allowed
	}},
}

// systems 12: decisions of the real executor, replayed. The table was recorded
// from docker-agent's own code, built two days after v1.126 (DA-02, DA-03, DA-30, DA-31, DA-40).
func TestExecutorAgrees(t *testing.T) {
	page, err := os.ReadFile("../../docs/docker-agent.md")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("testdata/executor.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	count, explained := 0, map[string]int{}
	for line := range strings.Lines(string(raw)) {
		var r replayed
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		for _, want := range r.Results {
			for _, name := range strings.Fields(want.On) {
				count++
				kind, _ := trammel.ParseKind(name)
				ours, theirs := replay(kind, &r, want.OnError).plain(kind), want.plain(kind)
				if reflect.DeepEqual(ours, theirs) {
					continue
				}
				i := slices.IndexFunc(differences, func(d difference) bool { return d.holds(kind, &r, &theirs, &ours) })
				if i < 0 {
					t.Errorf("%s, %s, on_error %q:\nours   %+v\ntheirs %+v", name, r.Output, want.OnError, ours, theirs)
					continue
				}
				explained[differences[i].reason]++
			}
		}
	}
	for _, d := range differences {
		if explained[d.reason] == 0 || !strings.Contains(string(page), d.reason) {
			t.Errorf("%q: %d rows, in docs/docker-agent.md: %t", d.reason, explained[d.reason], strings.Contains(string(page), d.reason))
		}
	}
	said := fmt.Sprintf("%d combinations", count)
	if count < 500 || !strings.Contains(string(page), said) {
		t.Errorf("%s, which docs/docker-agent.md does not say", said)
	}
	t.Log(count, explained)
}

var aboutTools = []trammel.Kind{trammel.PreToolUse, trammel.PostToolUse, trammel.PermissionRequest, trammel.ToolResponseTransform,
	trammel.ToolApprovalDecision}

// replay is what the same end of a hook comes to here.
func replay(kind trammel.Kind, r *replayed, onError string) outcome {
	ev := shellEvent(kind)
	if !slices.Contains(aboutTools, kind) {
		ev.Tool = nil
	}
	a, err := Dialect.DecodeAnswer(ev, trammel.Output{Exit: r.Exit, Stdout: []byte(r.Stdout), Stderr: []byte(r.Stderr)})
	if r.Fails || err != nil {
		if !Dialect.FailsClosed(kind) && (onError != "block" || !Dialect.blocks(kind)) {
			return outcome{Allowed: true}
		}
		return outcome{Decision: "deny"}
	}
	o := outcome{Allowed: a.Decision != trammel.Deny, Context: strings.Join(a.Context, "\n"), System: a.Notice, Response: a.Output,
		Summary: a.Summary}
	if a.Decision != trammel.None {
		o.Decision, o.Message = a.Decision.String(), a.Reason
	}
	if kind == trammel.BeforeLLMCall {
		o.Messages = len(a.Input)
	} else if a.Input != nil {
		o.Input = map[string]any{"cmd": "ls", "cwd": "."}
		maps.Copy(o.Input, a.Input)
	}
	o.Metadata, _ = a.Facts["metadata"].(map[string]any)
	return o
}

// plain is an outcome with one word for its decision. A refusal that names no
// reason gets one here, and so does a failure; before the person is asked
// anyway, asking is saying nothing.
func (o outcome) plain(kind trammel.Kind) outcome {
	switch {
	case !o.Allowed:
		o.Decision = "deny"
	case o.Permission:
		o.Decision = "allow"
	case o.Decision == "ask" && kind == trammel.PermissionRequest:
		o.Decision = ""
	}
	if o.Decision != "deny" || o.Message != "no" {
		o.Message = ""
	}
	o.Allowed, o.Permission = o.Decision != "deny", false
	return o
}
