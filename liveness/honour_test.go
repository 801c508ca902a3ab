package liveness

import (
	"path/filepath"
	"strings"
	"testing"
)

// enforcement 11, 12: what a host does not do is not called protection.
func TestWhatHostsDoNotHonour(t *testing.T) {
	const rewrite = `hooks: [{id: x, on: pre_tool_use, rewrite: {input: {command: '"ls"'}}}]`
	const denies = `{id: z, on: pre_tool_use, deny: y}]`
	for _, c := range []struct{ name, host, hooks, lost, denied string }{
		{"a denial", "kiro", `hooks: [{id: x, on: pre_tool_use, deny: y}]`, "", ""},
		{"a rewrite", "claude-code", rewrite, "", ""},
		{"a rewrite that is a denial", "docker-agent", rewrite, "", "x"},
		{"a rewrite of output", "claude-code", `hooks: [{id: x, on: post_tool_use, rewrite: {output: '"y"'}}]`, "", ""},
		{"a rewrite of output that comes to nothing", "kiro", `hooks: [{id: x, on: post_tool_use, rewrite: {output: '"y"'}}]`,
			"x (it cannot rewrite output on post_tool_use)", ""},
		{"a policy that rewrites output", "docker-agent", `hooks: [{id: x, use: limit_large_tool_results}]`, "", ""},
		{"the same where nothing comes of it", "qwen-code", `hooks: [{id: x, use: secrets}]`,
			"x (it cannot rewrite output on post_tool_use, so the model sees the original; the rest works)", ""},
		{"the same where no output is looked at", "qwen-code", "preset: careful", "", ""},
		{"an end that is held up", "claude-code", `hooks: [{id: x, on: stop, deny: y}]`, "", ""},
		{"an end that cannot be", "opencode", `hooks: [{id: x, on: stop, deny: y}]`, "on stop", ""},
		{"an event that the host does not have", "claude-code", `hooks: [{id: x, on: before_llm_call, deny: y}]`,
			"none of its events reaches us", ""},
		{"an observer of such an event", "claude-code", `hooks: [{id: x, on: before_llm_call, run: "true"}]`,
			"none of its events reaches us", ""},
		{"a hook for another host", "claude-code", `hooks: [{id: x, on: before_llm_call, match: {host: docker-agent}, deny: y}, ` + denies,
			"", ""},
		{"nothing but hooks for other hosts", "claude-code", `hooks: [{id: x, on: pre_tool_use, match: {host: pi}, deny: y}]`,
			"every hook in force is about other agents: events are recorded, but nothing is denied", ""},
		{"on trial", "kiro", `hooks: [{id: x, on: stop, trial: true, deny: y}, ` + denies, "", ""},
		{"nothing but trials", "claude-code", `hooks: [{id: x, on: pre_tool_use, trial: true, deny: y}]`, "every hook is on trial: events", ""},
		{"a policy of which nothing comes", "kiro", `hooks: [{id: x, use: truncate-output}, ` + denies,
			"x (no tool_response_transform reaches us, it cannot rewrite output on post_tool_use)", ""},
		{"the preset observe", "claude-code", "preset: observe", "can stop a call: events are recorded, but nothing is denied", ""},
		{"context waits for the next event", "docker-agent", `hooks: [{id: x, on: stop, context: y}, ` + denies, "", ""},
		{"nothing but context", "claude-code", `hooks: [{id: x, on: user_prompt_submit, context: y}]`,
			"of 1 hook in force, none that is about this agent and not on trial can stop a call: events are recorded, but nothing is denied", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.wirings[c.host], w.in.Hosts = well, []string{c.host}
			w.put(filepath.Join(w.in.Dirs.User, "trammel.yaml"), "version: 1\n"+c.hooks+"\n")
			w.see(c.host, "s1", "session_start", "")
			h := Inspect(t.Context(), w.in)[0]
			if why := strings.Join(h.Why, "\n"); c.lost == "" != (h.State == Protected) || strings.Contains(c.lost,
				"the rest works") != (h.State == Limited) || !strings.Contains(why, c.lost) {
				t.Errorf("%s because of %s, expected %q", h.State, why, c.lost)
			}
			denied := ""
			for _, check := range h.Checks {
				if check.Name == "rewrites" {
					denied = check.Detail[strings.LastIndex(check.Detail, ": ")+2:]
				}
			}
			if denied != c.denied {
				t.Errorf("rewrites that are denied: %q, expected %q", denied, c.denied)
			}
		})
	}
}

// Without an agent, hooks about any agent count, and nothing is protected.
func TestNoAgent(t *testing.T) {
	w := newWorld(t)
	w.in.Hosts = nil
	w.put(filepath.Join(w.in.Dirs.User, "trammel.yaml"), "version: 1\nhooks: [{id: x, on: pre_tool_use, match: {host: pi}, deny: y}]\n")
	list := Inspect(t.Context(), w.in)
	if why := strings.Join(list[0].Why, "; "); list[0].State != Unprotected || why != "no agent is installed or wired here" {
		t.Errorf("%s because of %s", list[0].State, why)
	}
	if code := ExitCode([]HostHealth{{Host: "pi", State: Protected}}); code != 1 {
		t.Errorf("exit code %d with nothing wired or installed", code)
	}
}
