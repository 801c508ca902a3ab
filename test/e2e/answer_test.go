//go:build e2e && unix

package e2e

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/test/e2e/model"
)

// TestAnswer: each other thing that a hook can say reaches the agent.
func TestAnswer(t *testing.T) {
	play(t, []scenario{
		{
			name: "rewrite",
			config: `version: 1
hooks:
  - id: elsewhere
    on: pre_tool_use
    match: { action: shell, program: touch }
    rewrite:
      input: { command: '"touch REWRITTEN"' }
`,
			check: func(t *testing.T, r *result) {
				if r.can&canRewrite == 0 { // the model is told what to call instead
					r.ran(t)
					r.told(t, true, "touch REWRITTEN")
					r.recorded(t, record{Event: "pre_tool_use", Decision: "deny", Hook: "elsewhere"})
					return
				}
				r.ran(t, "REWRITTEN")
				r.told(t, false)
				r.recorded(t, record{Event: "pre_tool_use", Decision: "none", Hook: "elsewhere"})
			},
		},
		{
			name: "a guard judges what was rewritten",
			once: true,
			config: noTouch + `
  - id: into-touch
    on: pre_tool_use
    match: { action: shell, program: echo }
    rewrite:
      input: { command: '"touch REWRITTEN"' }
`,
			script: func(h host, _ *box) model.Script { return attempt(h.shell("echo harmless")) },
			check:  denied("into-touch no-touch", "Make files with the Write tool."),
		},
		{
			name: "ask, with nobody to ask",
			config: `version: 1
hooks:
  - id: careful
    on: pre_tool_use
    match: { action: shell }
    ask:
      reason: Somebody has to agree to this.
`,
			check: func(t *testing.T, r *result) {
				r.ran(t)
				r.told(t, true, cmp.Or(r.rejects, "Somebody has to agree to this."))
				decision := "ask"
				if r.can&canAsk == 0 {
					decision = "deny"
				}
				r.recorded(t, record{Event: "pre_tool_use", Decision: decision, Reason: "Somebody has to agree to this.", Hook: "careful"})
			},
		},
		{
			name:   "context with a prompt",
			needs:  canContext,
			events: []string{"user_prompt_submit"},
			config: `version: 1
hooks:
  - id: house-rules
    on: user_prompt_submit
    context:
      text: The house rule of the day is number 7.
`,
			script: says("FINAL"),
			check: func(t *testing.T, r *result) {
				first := r.request(t, 0)
				if got := first.System + first.User(); !strings.Contains(got, "The house rule of the day is number 7.") {
					t.Errorf("the model was told %q", got)
				}
				r.recorded(t, record{Event: "user_prompt_submit", Decision: "none", Hook: "house-rules"})
			},
		},
		{
			name:   "a denied prompt",
			needs:  canStopPrompt,
			code:   func(p profile) int { return p.stopped },
			events: []string{"user_prompt_submit"},
			prompt: "deploy to production",
			config: `version: 1
hooks:
  - id: no-deploys
    on: user_prompt_submit
    deny:
      when: prompt contains "production"
      reason: Deployments are made by people.
`,
			script: says(),
			check: func(t *testing.T, r *result) {
				if n := len(r.model.Requests()); n > 0 {
					t.Errorf("the model was called %d times", n)
				}
				if said := r.stdout + r.stderr; !r.mute && !strings.Contains(said, "Deployments are made by people.") {
					t.Errorf("the user was told %q", said)
				}
				r.recorded(t, record{Event: "user_prompt_submit", Decision: "deny", Reason: "Deployments are made by people.", Hook: "no-deploys"})
			},
		},
		{
			name:   "a denied stop",
			needs:  canStopStop,
			events: []string{"stop"},
			config: `version: 1
hooks:
  - id: changelog
    on: stop
    deny:
      when: '!stop.active'
      reason: The changelog is not written yet.
`,
			script: says("I am done.", "FINAL"),
			check: func(t *testing.T, r *result) {
				if got := r.request(t, 1).Last().Text; !strings.Contains(got, "The changelog is not written yet.") {
					t.Errorf("the model was told %q", got)
				}
				if !strings.Contains(r.stdout, "FINAL") {
					t.Errorf("the agent ended with %q", r.stdout)
				}
				r.recorded(t,
					record{Event: "stop", Decision: "deny", Reason: "The changelog is not written yet.", Hook: "changelog"},
					record{Event: "stop", Decision: "none", Hook: "changelog"},
				)
			},
		},
	})
}

// TestAgent: the calls of a sub-agent are guarded like those of its parent.
func TestAgent(t *testing.T) {
	const task = "You are the helper; touch the file."
	play(t, []scenario{{
		name:   "a shell command",
		needs:  canAgent,
		config: noTouch,
		script: func(h host, b *box) model.Script {
			return model.Script{
				Turns: []model.Turn{
					model.Use(h.agent(task)),
					model.Use(h.shell("until [ -e DONE ]; do sleep 0.1; done; sleep 2")), // some hosts do not wait
					model.Say("FINAL"),
					{Text: "FINAL", Maybe: true}, // the news that the sub-agent has ended may come late
				},
				Agents: []model.Agent{{When: task, Turns: []model.Turn{
					model.Use(h.shell("touch " + marker)),
					model.Use(h.shell("echo done >DONE")),
					model.Say("I am done."),
					{Text: "I am done.", Maybe: true}, // some hosts want to hear it twice
				}}},
			}
		},
		check: func(t *testing.T, r *result) {
			r.ran(t, "DONE")
			told := r.model.Results(1)
			if len(told) != 2 {
				t.Fatalf("the sub-agent's model was told %+v, expected two results", told)
			}
			checkTold(t, told[0], true, "Make files with the Write tool.")
			want := record{Event: "pre_tool_use", Decision: "deny", Reason: "Make files with the Write tool.", Hook: "no-touch", Agent: !r.nameless}
			if got := r.records(t); !slices.Contains(got, want) {
				t.Errorf("records %+v, expected one to be %+v", got, want)
			}
		},
	}})
}

// says is a model that only talks.
func says(texts ...string) func(host, *box) model.Script {
	return func(host, *box) model.Script {
		var s model.Script
		for _, text := range texts {
			s.Turns = append(s.Turns, model.Say(text))
		}
		return s
	}
}
