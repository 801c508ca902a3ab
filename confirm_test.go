package trammel

import (
	"context"
	"testing"
)

type says struct {
	Answer
	gates bool
}

func (s says) Handle(context.Context, *Event) (Answer, error) { return s.Answer, nil }
func (s says) Gates() bool                                    { return s.gates }

// FIM-20: a tool that wants a person's consent is a question, whatever hooks
// there are, unless somebody has agreed to this call.
func TestAToolThatWantsConsentIsAQuestion(t *testing.T) {
	hook := func(may Authority, d Decision, gates bool) []Hook {
		return []Hook{{ID: "h", On: []Kind{PreToolUse, PostToolUse}, May: may, Handler: says{Answer{Decision: d, Reason: "said"}, gates}}}
	}
	failing := []Hook{{ID: "h", On: []Kind{PreToolUse}, May: Observe, Handler: HandlerFunc(func(context.Context, *Event) (Answer, error) {
		panic("broken")
	})}}
	trial := hook(Grant, Allow, true)
	trial[0].Trial = true
	for name, c := range map[string]struct {
		hooks   []Hook
		kind    Kind
		confirm bool
		want    Decision
		found   bool
	}{
		"no hook at all":                        {nil, PreToolUse, true, Ask, true},
		"no wish":                               {nil, PreToolUse, false, None, false},
		"a guard without an opinion":            {hook(Guard, None, false), PreToolUse, true, Ask, true},
		"a guard without an objection":          {hook(Guard, Allow, false), PreToolUse, true, Ask, true},
		"a guard that asks itself":              {hook(Guard, Ask, false), PreToolUse, true, Ask, false},
		"a guard that denies":                   {hook(Guard, Deny, false), PreToolUse, true, Deny, false},
		"a hook that may grant, and does":       {hook(Grant, Allow, false), PreToolUse, true, Allow, false},
		"a gate that has consent":               {hook(Guard, Allow, true), PreToolUse, true, Allow, false},
		"a gate without an opinion":             {hook(Guard, None, true), PreToolUse, true, Ask, true},
		"a gate that refuses":                   {hook(Guard, Deny, true), PreToolUse, true, Deny, false},
		"a gate on trial":                       {trial, PreToolUse, true, Ask, true},
		"an observer that fails":                {failing, PreToolUse, true, Ask, true},
		"the tool has run, it is too late":      {hook(Observe, None, false), PostToolUse, true, None, false},
		"the tool has run and nobody listens":   {nil, PostToolUse, true, None, false},
		"a session starts, and there's no tool": {nil, SessionStart, false, None, false},
	} {
		e, err := New(c.hooks)
		if err != nil {
			t.Fatal(err)
		}
		v := e.Dispatch(t.Context(), &Event{Kind: c.kind, Tool: &ToolCall{Name: "oa__pay", Confirm: c.confirm}})
		found := len(v.Findings) == 1 && v.Findings[0].Code == "requires_confirmation"
		if v.Decision != c.want || found != c.found || v.Decision == Ask && v.Proceed() {
			t.Errorf("%s: %v %v, want %v", name, v, v.Findings, c.want)
		}
	}
}
