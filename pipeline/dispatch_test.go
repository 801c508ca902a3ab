package pipeline_test

import (
	"context"
	"errors"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/pipeline"
)

// Whoever embeds Trammel: people are told about the end of a session where there are
// approvals, and decide what hooks ask only where both the caller and the settings
// want that. Who cannot ask them denies.
func TestDispatchAsksPeople(t *testing.T) {
	const ask = "hooks: [{id: h, on: pre_tool_use, ask: Sure?}]\n"
	const people, nobody, quiet = ask + "approvals: {ask: true}\n", ask, ask + "approvals: {ask: false}\n"
	const wrong = people + "hooks: 1\n"
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		config string
		kind   trammel.Kind
		caller bool  // it has nobody to ask
		none   bool  // there is no way to people
		err    error // of asking them
		asked  int
		want   trammel.Decision
	}{
		"asked":                            {people, trammel.PreToolUse, true, false, nil, 1, trammel.Allow},
		"cannot be asked":                  {people, trammel.PreToolUse, true, false, boom, 1, trammel.Deny},
		"the caller asks":                  {people, trammel.PreToolUse, false, false, nil, 0, trammel.Ask},
		"no way to people":                 {people, trammel.PreToolUse, true, true, nil, 0, trammel.Ask},
		"the settings do not want it":      {quiet, trammel.PreToolUse, true, false, nil, 0, trammel.Ask},
		"no approvals":                     {nobody, trammel.PreToolUse, true, false, nil, 0, trammel.Ask},
		"nothing is asked":                 {people, trammel.PostToolUse, true, false, nil, 0, trammel.None},
		"wrong configuration":              {wrong, trammel.PreToolUse, true, false, nil, 0, trammel.Deny},
		"session end":                      {people, trammel.SessionEnd, false, false, nil, 1, trammel.None},
		"session end, people fail":         {quiet, trammel.SessionEnd, false, false, boom, 1, trammel.None},
		"session end, no approvals":        {nobody, trammel.SessionEnd, true, false, nil, 0, trammel.None},
		"session end, no way to people":    {people, trammel.SessionEnd, true, true, nil, 0, trammel.None},
		"session end, wrong configuration": {wrong, trammel.SessionEnd, true, false, nil, 0, trammel.None},
	} {
		p := newPlace(t, c.config)
		asked := 0
		p.AskPeople = c.caller
		p.People = func(_ context.Context, j *pipeline.Judged) error {
			if asked++; c.err == nil && c.kind == trammel.PreToolUse {
				j.Verdict.Decision = trammel.Allow
			}
			return c.err
		}
		if c.none {
			p.People = nil
		}
		ev := &trammel.Event{Kind: c.kind, Host: "claude-code", Session: trammel.Session{ID: "s", Dir: p.project}}
		if c.kind != trammel.SessionEnd {
			ev.Tool = &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls"}}
		}
		v, err := p.Dispatch(t.Context(), ev)
		switch {
		case asked != c.asked || v.Decision != c.want:
			t.Errorf("%s: asked %d times, %v: %s", name, asked, v.Decision, v.Reason)
		case c.config == wrong && err == nil || c.config != wrong && !errors.Is(err, c.err):
			t.Errorf("%s: %v", name, err)
		case c.err != nil && c.want == trammel.Deny && v.Reason != boom.Error():
			t.Errorf("%s: the reason is %q", name, v.Reason)
		}
		if n := len(p.records(t)); n != 1 {
			t.Errorf("%s: %d records", name, n)
		}
	}
}
