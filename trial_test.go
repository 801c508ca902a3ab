package trammel

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// A hook on trial is recorded with what it would have done, and changes nothing.
func TestAHookOnTrialHasNoEffect(t *testing.T) {
	out := "shorter"
	for name, c := range map[string]struct {
		handler Handler
		may     Authority
		on      Kind
		would   string
	}{
		"deny":    {say(Denial("no")), Guard, PreToolUse, "would deny: no"},
		"ask":     {say(Answer{Decision: Ask, Reason: "sure?"}), Guard, PreToolUse, "would ask: sure?"},
		"rewrite": {say(Answer{Input: map[string]any{"x": 2}}), Rewrite, PreToolUse, "would rewrite"},
		"output":  {say(Answer{Output: &out}), Rewrite, ToolResponseTransform, "would rewrite"},
		"context": {say(Answer{Context: []string{"hint"}}), Contextual, PreToolUse, "would add context: hint"},
		"failure": {HandlerFunc(func(context.Context, *Event) (Answer, error) { return Answer{}, errors.New("broken") }), Guard, PreToolUse, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, Hook{ID: "tried", On: []Kind{c.on}, May: c.may, Trial: true, Handler: c.handler})
			ev := call(map[string]any{"x": 1})
			ev.Kind = c.on
			v := e.Dispatch(t.Context(), ev)
			if v.Decision != None || v.Input != nil || v.Output != nil || v.Context != nil || v.Notice != "" {
				t.Errorf("the trial had an effect: %+v", v.Answer)
			}
			if got := strings.Join(v.Runs[0].Answer.Diagnostics, "\n"); !strings.Contains(got, c.would) ||
				strings.Contains(got, "rewrite") != strings.Contains(c.would, "rewrite") {
				t.Errorf("the record says %q, want %q", got, c.would)
			}
		})
	}
}
