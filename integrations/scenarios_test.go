//go:build e2e && unix

package integrations

import (
	"slices"
	"strings"
	"testing"
)

// scenario is a script for the model and what has to come of it, with the
// trammel.yaml in testdata.
type scenario struct {
	name    string
	module  string // the agent, if it is not the framework's usual one
	script  string // for testdata/play.mjs
	missing bool   // there is no trammel-hook
	several bool   // some frameworks report each message, others all as one

	ran      []string // what the tool was called with
	requests int      // how often the model was called
	told     string   // its last request holds this
	never    string   // none of its requests holds this
	says     string   // the agent's answer, or what it throws, holds this
	events   string   // what an observer saw
	failures string   // events that Trammel could not be asked about
}

const around = "session_start user_prompt_submit"

var scenarios = []scenario{
	{name: "FLOW-61 a denied call does not run, and the model is told why",
		script:   `{"prompt":"clean up","turns":[{"call":{"command":"rm -rf x"}},{"text":"ok"}]}`,
		requests: 2, told: "Removing files is off. Move them to trash/ instead.", says: "ok", events: around + " pre_tool_use stop"},
	{name: "FLOW-61 arguments and output are rewritten",
		script: `{"prompt":"list","turns":[{"call":{"command":"ls"}},{"text":"ok"}],"output":"a TOKEN-123 b"}`,
		ran:    []string{"ls -l"}, requests: 2, told: "a [hidden] b", never: "TOKEN-123", says: "ok", events: around +
			" pre_tool_use post_tool_use stop"},
	{name: "FLOW-61 feedback on a call reaches the model",
		script: `{"prompt":"make","turns":[{"call":{"command":"make"}},{"text":"ok"}],"output":"unformatted"}`,
		ran:    []string{"make"}, requests: 2, told: `unformatted\n\nFormat the file.`, says: "ok", events: around +
			" pre_tool_use post_tool_use stop"},
	{name: "FLOW-61 context of the session and of the prompt",
		script:   `{"prompt":"hello","turns":[{"text":"ok"}]}`,
		requests: 1, told: `hello\n\nThe house rules are in RULES.md.\n\nIt is raining.`, says: "ok", events: around + " stop"},
	{name: "FLOW-61 a session starts once",
		script:   `{"prompt":["hello","again"],"turns":[{"text":"ok"},{"text":"bye"}]}`,
		requests: 2, told: `again\n\nIt is raining.`, says: "bye", events: around + " stop user_prompt_submit stop"},
	{name: "FLOW-61 a denied prompt does not reach the model",
		script: `{"prompt":"a poem please","turns":[{"text":"roses"}]}`, says: "No poems here.", events: around},
	{name: "FLOW-61 of several messages, none gets around",
		script: `{"prompt":"","messages":["a poem please","hello"],"turns":[{"text":"roses"}]}`, says: "No poems here.", several: true},
	{name: "FLOW-61 several messages", several: true,
		script:   `{"prompt":"","messages":["hello","world"],"turns":[{"text":"ok"}]}`,
		requests: 1, told: "It is raining.", says: "ok"},
	{name: "FLOW-61 a prompt is rewritten",
		script:   `{"prompt":"I am Ada","turns":[{"text":"ok"}]}`,
		requests: 1, told: "I am somebody", never: "Ada", says: "ok", events: around + " stop"},
	{name: "FLOW-61 a prompt is rewritten in a message", several: true,
		script:   `{"prompt":"","messages":["I am Ada"],"turns":[{"text":"ok"}]}`,
		requests: 1, told: "I am somebody", never: "Ada", says: "ok"},
	{name: "FLOW-61 an agent that may not end goes on",
		script:   `{"prompt":"work","turns":[{"text":"untested"},{"text":"tested"}]}`,
		requests: 2, told: "Run the tests first.", says: "tested", events: around + " stop stop"},
	{name: "FLOW-61 ask without a person is a denial",
		script:   `{"prompt":"push","turns":[{"call":{"command":"git push"}},{"text":"ok"}]}`,
		requests: 2, told: "A person has to agree first. A push needs consent.", says: "ok", events: around + " pre_tool_use stop"},
	{name: "FLOW-61 ask with a person who agrees",
		script: `{"prompt":"push","approve":true,"turns":[{"call":{"command":"git push"}},{"text":"ok"}]}`,
		ran:    []string{"git push"}, requests: 2, told: "done", says: "ok", events: around + " pre_tool_use post_tool_use stop"},
	{name: "FLOW-61 without trammel-hook nothing starts", missing: true,
		script: `{"prompt":"hello","turns":[{"text":"ok"}]}`, says: "Trammel could not judge this", failures: "session_start user_prompt_submit"},
	{name: "FLOW-61 trammel-hook disappears before a call",
		script:   `{"prompt":"make","turns":[{"lose":true,"call":{"command":"make"}},{"text":"ok"}]}`,
		requests: 2, told: "Trammel could not judge this", says: "ok", events: around, failures: "pre_tool_use stop"},
}

// What a framework has beside the usual.
var special = map[string][]scenario{
	"strands": {
		{name: "FLOW-61 a failed call is reported", module: "strands",
			script: `{"prompt":"make","throws":"broken TOKEN-123","turns":[{"call":{"command":"make"}},{"text":"ok"}]}`,
			ran:    []string{"make"}, requests: 2, told: "broken [hidden]", never: "TOKEN-123", says: "ok", events: around +
				" pre_tool_use post_tool_use stop"},
		{name: "FLOW-61 a denied prompt is not there later", module: "strands",
			script:   `{"prompt":["a poem please","hello"],"turns":[{"text":"ok"}]}`,
			requests: 1, told: "[withheld by policy]", never: "poem please", says: "ok", events: around + " user_prompt_submit stop"},
	},
	"langgraph": {
		{name: "FLOW-61 a failed call is reported", module: "langgraph",
			script: `{"prompt":"make","throws":"broken TOKEN-123","turns":[{"call":{"command":"make"}},{"text":"ok"}]}`,
			ran:    []string{"make"}, requests: 1, says: "broken [hidden]", events: around + " pre_tool_use post_tool_use"},
		{name: "FLOW-61 a graph of one's own: denied", module: "langgraph-graph",
			script:   `{"prompt":"clean up","turns":[{"call":{"command":"rm -rf x"}},{"text":"ok"}]}`,
			requests: 2, told: "Removing files is off.", says: "ok", events: "pre_tool_use"},
		{name: "FLOW-61 a graph of one's own: rewritten", module: "langgraph-graph",
			script: `{"prompt":"list","turns":[{"call":{"command":"ls"}},{"text":"ok"}],"output":"a TOKEN-123 b"}`,
			ran:    []string{"ls -l"}, requests: 2, told: "a [hidden] b", never: "TOKEN-123", says: "ok", events: "pre_tool_use post_tool_use"},
		{name: "FLOW-61 a graph of one's own: trammel-hook disappears", module: "langgraph-graph",
			script:   `{"prompt":"make","turns":[{"lose":true,"call":{"command":"make"}},{"text":"ok"}]}`,
			requests: 2, told: "Trammel could not judge this", says: "ok", failures: "pre_tool_use"},
	},
	"openai-agents": {
		{name: "FLOW-61 a failed call is reported", module: "openai-agents",
			script: `{"prompt":"make","throws":"broken TOKEN-123","turns":[{"call":{"command":"make"}},{"text":"ok"}]}`,
			ran:    []string{"make"}, requests: 1, says: "broken [hidden]", events: around + " pre_tool_use post_tool_use"},
		{name: "FLOW-61 a kept conversation goes on", module: "openai-agents",
			script:   `{"prompt":["work"],"turns":[{"text":"untested"},{"text":"tested"}]}`,
			requests: 2, told: "Run the tests first.", says: "tested", events: around + " stop stop"},
		{name: "FLOW-61 arguments that are no JSON", module: "openai-agents",
			script:   `{"prompt":"work","turns":[{"call":{},"raw":"{\"command\":"},{"text":"ok"}]}`,
			requests: 2, told: "run", says: "ok", events: around + " stop"},
		{name: "FLOW-61 a tool that runs elsewhere is refused", module: "openai-agents",
			script: `{"prompt":"hello","hosted":true,"turns":[{"text":"ok"}]}`, says: "cannot stand before the hosted_tool code_interpreter",
			events: around},
		{name: "FLOW-61 a stream is guarded", module: "openai-agents",
			script:   `{"prompt":"clean up","stream":true,"turns":[{"call":{"command":"rm -rf x"}},{"text":"ok"}]}`,
			requests: 2, told: "Removing files is off.", says: "ok", events: around + " pre_tool_use stop"},
		{name: "FLOW-61 an agent after a handoff is guarded", module: "openai-agents",
			script: `{"prompt":"clean up","handoff":true,"turns":[{"tool":"transfer_to_worker","raw":"{}","call":{}},` +
				`{"call":{"command":"rm -rf x"}},{"text":"ok"}]}`,
			requests: 3, told: "Removing files is off.", says: "ok", events: around + " pre_tool_use stop"},
		{name: "FLOW-61 the tools of an MCP server are guarded", module: "openai-agents",
			script:   `{"prompt":"clean up","mcp":true,"turns":[{"call":{"command":"rm -rf x"}},{"text":"ok"}]}`,
			requests: 2, told: "Removing files is off.", says: "ok", events: around + " pre_tool_use stop"},
	},
	"voltagent": {
		{name: "FLOW-61 a failed call is reported", module: "voltagent",
			script: `{"prompt":"make","throws":"broken TOKEN-123","turns":[{"call":{"command":"make"}},{"text":"ok"}]}`,
			ran:    []string{"make"}, requests: 2, told: "broken [hidden]", never: "TOKEN-123", says: "ok", events: around +
				" pre_tool_use post_tool_use stop"},
		{name: "FLOW-61 a stream is guarded", module: "voltagent",
			script:   `{"prompt":"clean up","stream":true,"turns":[{"call":{"command":"rm -rf x"}},{"text":"ok"}]}`,
			requests: 2, told: "Removing files is off.", says: "ok", events: around + " pre_tool_use stop"},
		{name: "FLOW-61 a denied prompt of a stream", module: "voltagent",
			script: `{"prompt":"a poem please","stream":true,"turns":[{"text":"roses"}]}`, says: "No poems here.", events: around},
	},
}

func (c *scenario) compare(t *testing.T, got *happened) {
	t.Helper()
	if !slices.Equal(got.Ran, c.ran) {
		t.Errorf("the tool ran with %q, want %q", got.Ran, c.ran)
	}
	if len(got.Seen) != c.requests {
		t.Errorf("the model was called %d times, want %d", len(got.Seen), c.requests)
	}
	if len(got.Seen) > 0 && !strings.Contains(got.Seen[len(got.Seen)-1], c.told) {
		t.Errorf("the model was not told %q", c.told)
	}
	if c.never != "" && strings.Contains(strings.Join(got.Seen, "\n"), c.never) {
		t.Errorf("the model saw %q", c.never)
	}
	if said := got.Final + got.Error; !strings.Contains(said, c.says) {
		t.Errorf("the agent says %q, want %q", said, c.says)
	}
	if events := strings.Join(got.Events, " "); events != c.events && !c.several {
		t.Errorf("events %s, want %s", events, c.events)
	}
	if failures := strings.Join(got.Failures, " "); failures != c.failures {
		t.Errorf("failures %s, want %s", failures, c.failures)
	}
	if t.Failed() {
		t.Logf("answer %q, error %q\n%s", got.Final, got.Error, strings.Join(got.Seen, "\n"))
	}
}
