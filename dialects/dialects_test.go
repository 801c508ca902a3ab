package dialects

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

func TestDegrade(t *testing.T) {
	const all = trammel.Block | trammel.CanAsk | trammel.RewriteInput | trammel.RewriteOutput | trammel.Inject |
		trammel.Continue | trammel.Approve
	out := "clean"
	patch := map[string]any{"command": "ls -l"}
	asking := []trammel.Run{{Hook: &trammel.Hook{ID: "payments"}, Answer: trammel.Answer{Decision: trammel.Ask}}}
	type answer = trammel.Answer

	for name, c := range map[string]struct {
		kind    trammel.Kind
		can     trammel.Capabilities
		verdict trammel.Verdict

		decision trammel.Decision
		reason   []string // texts that the reason holds; nil: it is empty
		notice   []string
		wanted   string // what was degraded, and to what; "" is nothing
		became   string
		deferred []string
	}{
		"everything can be done": {
			kind: trammel.PreToolUse, can: all,
			verdict:  trammel.Verdict{Answer: answer{Decision: trammel.Ask, Reason: "why", Input: patch, Context: []string{"c"}, Output: &out}},
			decision: trammel.Ask, reason: []string{"why"},
		},
		"nothing is wanted": {kind: trammel.PreToolUse},
		"ask, not possible": {
			kind: trammel.PreToolUse, can: all &^ trammel.CanAsk,
			verdict:  trammel.Verdict{Answer: answer{Decision: trammel.Ask, Reason: "it costs money"}, Runs: asking},
			decision: trammel.Deny, reason: []string{"it costs money. ", `"payments"`, "a person can", "testhost cannot ask"}, wanted: "ask",
			became: "deny",
		},
		"ask, without a reason": {
			kind: trammel.PreToolUse, can: all &^ trammel.CanAsk, verdict: trammel.Verdict{Answer: answer{Decision: trammel.Ask}},
			decision: trammel.Deny, reason: []string{"a person can"}, wanted: "ask", became: "deny",
		},
		"rewrite input, not possible": {
			kind: trammel.PreToolUse, can: all &^ trammel.RewriteInput, verdict: trammel.Verdict{Answer: answer{Input: patch}},
			decision: trammel.Deny, reason: []string{`{"input":{"command":"ls -l","timeout":5},"tool":"Bash"}`}, wanted: "rewrite input",
			became: "deny",
		},
		"rewrite input with a grant, not possible": {
			kind: trammel.PreToolUse, can: all &^ trammel.RewriteInput,
			verdict:  trammel.Verdict{Answer: answer{Decision: trammel.Allow, Input: patch}, Granted: true},
			decision: trammel.Deny, reason: []string{"ls -l"}, wanted: "rewrite input", became: "deny",
		},
		"rewrite input of what is denied": {
			kind: trammel.PreToolUse, can: all &^ trammel.RewriteInput,
			verdict:  trammel.Verdict{Answer: answer{Decision: trammel.Deny, Reason: "no", Input: patch}},
			decision: trammel.Deny, reason: []string{"no"},
		},
		"rewrite output, not possible": {
			kind: trammel.PostToolUse, can: all &^ trammel.RewriteOutput, verdict: trammel.Verdict{Answer: answer{Output: &out, Notice: "first"}},
			notice: []string{"first\n", "has seen the original"}, wanted: "rewrite output", became: "notice",
		},
		"context, not possible": {
			kind: trammel.PreToolUse, can: all &^ trammel.Inject, verdict: trammel.Verdict{Answer: answer{Context: []string{"a", "b"}}},
			wanted: "context", became: "deferred", deferred: []string{"a", "b"},
		},
		"block stop, not possible": {
			kind: trammel.Stop, can: trammel.Inject, verdict: trammel.Verdict{Answer: answer{Decision: trammel.Deny, Reason: "tests are red"}},
			notice: []string{"tests are red. ", "should have been blocked"}, wanted: "block", became: "notice",
		},
		"block, not possible": {
			kind: trammel.SessionStart, verdict: trammel.Verdict{Answer: answer{Decision: trammel.Deny, Reason: "no!"}},
			notice: []string{"no! This should"}, wanted: "block", became: "notice",
		},
		"deny without a reason": {
			kind: trammel.PreToolUse, can: all, verdict: trammel.Verdict{Answer: answer{Decision: trammel.Deny, Reason: " "}},
			decision: trammel.Deny, reason: []string{"Trammel"},
		},
		"grant, not possible": {
			kind: trammel.PreToolUse, can: all &^ trammel.Approve, verdict: trammel.Verdict{Answer: answer{Decision: trammel.Allow}, Granted: true},
			decision: trammel.Allow, wanted: "grant", became: "nothing",
		},
	} {
		t.Run(name, func(t *testing.T) {
			ev := &trammel.Event{Kind: c.kind, Host: "testhost", Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls",
				"timeout": int64(5)}}}
			v := c.verdict
			deferred := Degrade(ev, &v, trammel.Powers{Can: c.can})
			if v.Decision != c.decision {
				t.Errorf("decision %v, want %v", v.Decision, c.decision)
			}
			holds(t, "reason", v.Reason, c.reason)
			holds(t, "notice", v.Notice, c.notice)
			if !reflect.DeepEqual(deferred, c.deferred) {
				t.Errorf("deferred %q, want %q", deferred, c.deferred)
			}
			switch {
			case c.wanted == "" && len(v.Degraded) == 0:
			case len(v.Degraded) != 1 || v.Degraded[0].Wanted != c.wanted || v.Degraded[0].Became != c.became ||
				!strings.Contains(v.Degraded[0].Why, "testhost"):
				t.Errorf("degraded %+v, want %s to become %s", v.Degraded, c.wanted, c.became)
			}
			if !c.can.Any(trammel.RewriteInput) && v.Input != nil || !c.can.Any(trammel.RewriteOutput) && v.Output != nil ||
				!c.can.Any(trammel.Approve) && v.Granted || v.Decision == trammel.Deny && v.Granted {
				t.Errorf("left over: %+v", v)
			}

			again := v
			if more := Degrade(ev, &again, trammel.Powers{Can: c.can}); more != nil || !reflect.DeepEqual(again, v) {
				t.Errorf("a second time it became %+v, before it was %+v", again, v)
			}
		})
	}
}

// An ask that cannot be asked on an event that cannot be blocked ends as a
// notice, and both steps are on record.
func TestDegradeTwoSteps(t *testing.T) {
	v := trammel.Verdict{Answer: trammel.Answer{Decision: trammel.Ask, Reason: "hm"}}
	Degrade(&trammel.Event{Kind: trammel.SessionEnd}, &v, trammel.Powers{})
	if v.Decision != trammel.None || len(v.Degraded) != 2 || v.Notice == "" {
		t.Errorf("got %+v", v)
	}
}

func holds(t *testing.T, what, text string, parts []string) {
	t.Helper()
	if parts == nil && text != "" {
		t.Errorf("%s %q, want none", what, text)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s %q does not hold %q", what, text, part)
		}
	}
}

type half struct {
	trammel.HookDialect
	name string
}

func (h half) Name() string { return h.name }

func TestSet(t *testing.T) {
	entry := func(name string) Entry { return Entry{Dialect: half{name: name}} }
	s := New(entry("b"), entry("a"))
	if _, ok := s.Hook("a"); !ok {
		t.Error("a is not found")
	}
	if _, ok := s.Host("a"); ok {
		t.Error("a is no host")
	}
	if _, ok := s.Hook("c"); ok {
		t.Error("c is found")
	}
	if got := s.Names(); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Errorf("names %q", got)
	}
	if got := s.Hooks(); len(got) != 2 || len(s.Hosts()) != 0 {
		t.Errorf("hooks %q, hosts %q", got, s.Hosts())
	}
	defer func() {
		if recover() == nil {
			t.Error("a name was taken twice")
		}
	}()
	New(entry("a"), entry("a"))
}

// The words of a table are whole: an event is not found by a part of its name,
// nor a kind by a part of its own, nor in a remark.
func TestTable(t *testing.T) {
	table := "# event      kind           wired deadline can\n# xstop      stop  open - block\n" +
		"stop         subagent_stop  open  10m/1s  block continue endlessly\nbefore.stop  stop           -     -       -"
	host := Host{System: "x", About: &table, Wiring: []File{{}}}
	if e := host.Event("stop"); e == nil || e.Kind != trammel.SubagentStop || e.Deadline != 10*time.Minute || e.Timeout != time.Second ||
		!e.Endless {
		t.Errorf("%+v", e)
	}
	for _, name := range []string{"", "top", "before", "xstop", "#", "-"} {
		if e := host.Event(name); e != nil {
			t.Errorf("%q is %+v", name, e)
		}
	}
	if got := host.EventName(trammel.Stop); got != "before.stop" || len(host.Events()) != 2 ||
		host.Powers(trammel.Stop).Deadline != Deadline {
		t.Errorf("%q, %+v", got, host.Events())
	}
}

// What stands above the table are facts: lists go on where their word stands
// again, and a word that does not exist is a mistake of the program.
func TestFacts(t *testing.T) {
	text := "title     A b, c\nsettings  .a/x, .a/y\nsettings  .b\ndirs      $A_HOME/in, $B, .a/b\noff-hooks --no hooks, -x\n" +
		"gap       one, and\ngap       two\n\n# event kind \nstop    stop - - -\n"
	host := Host{About: &text}
	want := &Facts{Title: "A b, c", Settings: []string{".a/x", ".a/y", ".b"}, Dirs: []Dir{{"A_HOME", "in"}, {"B", ""}, {"", ".a/b"}},
		Off: Off{Hooks: []string{"--no hooks", "-x"}}, Gaps: []string{"one, and", "two"}}
	if got := host.Facts(); !reflect.DeepEqual(got, want) || host.Event("stop") == nil || host.Event("title") != nil {
		t.Errorf("%+v", got)
	}
	if facts := (&Host{}).Facts(); facts.Title != "" {
		t.Errorf("%+v", facts)
	}
	defer func() {
		if recover() == nil {
			t.Error("a word that does not exist is taken")
		}
	}()
	text = "titel A"
	(&Host{About: &text}).Facts()
}

func TestNearest(t *testing.T) {
	table := "# event    kind \nBeforeTool pre_tool_use - - block\nAfterTool  post_tool_use - - -\n"
	host := Host{About: &table}
	for want, ev := range map[string]*trammel.Event{
		"BeforeTool":   {Kind: trammel.PermissionRequest, Name: "x"},
		"AfterTool":    {Kind: trammel.PostToolFailure},
		"own":          {Kind: trammel.Stop, Name: "own"},
		"session_end":  {Kind: trammel.SessionEnd},
		"BrandNewName": {Kind: trammel.Other, Name: "BrandNewName"},
	} {
		if got := host.Nearest(ev); got != want {
			t.Errorf("%v: %q, want %q", ev.Kind, got, want)
		}
	}
}

// Shapes of a host's tools are made once, and only when they are asked for.
func TestShapesAreMadeOnce(t *testing.T) {
	made := 0
	h := Host{Tools: func() trammel.Shapes { made++; return trammel.Shapes{"sh": {}} }}
	if made != 0 || len(h.Shapes()) != 1 || len(h.Shapes()) != 1 || made != 1 {
		t.Errorf("made %d times", made)
	}
	if (&Host{}).Shapes() != nil {
		t.Error("a host without tools has shapes")
	}
}
