package dialectsuite

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

// Form is a verdict, and what the host is answered to the letter.
type Form = struct {
	Kind    trammel.Kind
	Verdict trammel.Verdict
	Want    string
}

// Forms checks the forms that are documented or were seen to work. tool is the
// call of each event.
func Forms(t *testing.T, d trammel.HostDialect, tool *trammel.ToolCall, cases map[string]Form) {
	for name, c := range cases {
		r := d.EncodeVerdict(&trammel.Event{Kind: c.Kind, Host: d.Name(), Tool: tool}, &c.Verdict)
		if string(r.Stdout) != c.Want+"\n" || r.Exit != 0 || len(r.Stderr) != 0 {
			t.Errorf("%s:\ngot  %s\nwant %s", name, r.Stdout, c.Want)
		}
	}
}

// UnwritableRewriteDenies checks that what has no JSON form does not get through
// because of it. denial is what the answer has to hold.
func UnwritableRewriteDenies(t *testing.T, d trammel.HostDialect, tool, denial string) {
	ev := &trammel.Event{Kind: trammel.PreToolUse, Host: d.Name(), Tool: &trammel.ToolCall{Name: tool}}
	r := d.EncodeVerdict(ev, &trammel.Verdict{Answer: trammel.Answer{Input: map[string]any{"f": func() {}}}})
	if !strings.Contains(string(r.Stdout), denial) {
		t.Errorf("got %s", r.Stdout)
	}
}

// Reached is a payload, and what of it has to reach a policy.
type Reached = struct {
	Raw    string
	Kind   trammel.Kind
	Action trammel.Action
}

// NothingIsInert checks that events are known for what they are, and calls for
// what they do.
func NothingIsInert(t *testing.T, d trammel.HostDialect, cases map[string]Reached) {
	for name, c := range cases {
		ev, err := d.DecodeEvent([]byte(c.Raw), "")
		if err != nil || ev.Kind != c.Kind {
			t.Errorf("%s: kind %v, %v", name, ev.Kind, err)
			continue
		}
		if ev.Tool != nil && !reflect.DeepEqual(ev.Tool.Action, c.Action) {
			t.Errorf("%s: %+v, want %+v", name, ev.Tool.Action, c.Action)
		}
	}
}

// combinations are all that a verdict can hold.
func combinations() []trammel.Verdict {
	clean, empty := "clean", " \n"
	var out []trammel.Verdict
	for _, decision := range []trammel.Decision{trammel.None, trammel.Allow, trammel.Ask, trammel.Deny} {
		for _, reason := range []string{"", " ", "why", `{"decision":"approve"}`, `{"decision":"allow"}`} {
			for _, input := range []map[string]any{nil, {"command": "ls -l"}, {"command": func() {}}} {
				for _, output := range []*string{nil, &clean, &empty} {
					for _, text := range []string{"", "text"} {
						for _, granted := range []bool{false, true} {
							v := trammel.Verdict{Answer: trammel.Answer{Decision: decision, Reason: reason, Input: input, Output: output, Notice: text},
								Granted: granted && decision == trammel.Allow}
							if text != "" {
								v.Context = []string{text}
							}
							out = append(out, v)
						}
					}
				}
			}
		}
	}
	return out
}

// NothingIsMisread checks that no verdict ever leaves in a form that the host
// drops or takes for something else, degraded before or not, and that what has
// to block does. read is how the host reads a reply.
func NothingIsMisread(t *testing.T, d trammel.HostDialect, read func(trammel.Kind, trammel.Reply) (wrong string, blocks bool)) {
	for _, ev := range Events(t, d) {
		for _, v := range combinations() {
			said := fmt.Sprintf("%s: %v, reason %q, input %v, output %v, granted %v", ev.Name, v.Decision, v.Reason, v.Input != nil,
				v.Output != nil, v.Granted)
			mustBlock := v.Decision >= trammel.Ask && d.Powers(ev.Kind).Can.Any(trammel.Block)
			r := d.EncodeVerdict(ev, &v)
			wrong, blocks := read(ev.Kind, r)
			if wrong != "" {
				t.Errorf("%s: %s: %s%s", said, wrong, r.Stdout, r.Stderr)
			}
			if mustBlock && !blocks {
				t.Errorf("%s: does not block: %s", said, r.Stdout)
			}
		}
	}
}
