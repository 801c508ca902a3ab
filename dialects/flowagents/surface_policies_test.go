package flowagents_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/conformance"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/flowagents"
	_ "github.com/trammel-dev/trammel/internal/layers/isolated" // HOME and XDG_* choose the directories
)

// FLOW defect 2 and FLOW defect 3: the same calls are blocked on every host, in
// the words of that host.
func TestConfigProtectionOnEveryHost(t *testing.T) {
	type obj = map[string]any
	set := func(input obj, values obj) {
		clear(input)
		for k, v := range values {
			input[k] = v
		}
	}
	at := func(v any, keys ...string) obj {
		for _, k := range keys {
			v = v.(obj)[k]
		}
		return v.(obj)
	}
	for name, h := range map[string]struct {
		write, edit, shell string
		args               []string
		path               string
	}{
		"claude-code": {"PreToolUse:Write", "PreToolUse:Edit", "PreToolUse:Bash", []string{"tool_input"}, "file_path"},
		"opencode": {"tool.execute.before:write", "tool.execute.before:edit", "tool.execute.before:bash", []string{"output", "args"},
			"filePath"},
		"pi":         {"tool_call:write", "tool_call:edit", "tool_call:bash", []string{"event", "input"}, "path"},
		"gemini-cli": {"BeforeTool:write_file", "BeforeTool:replace", "BeforeTool:run_shell_command", []string{"tool_input"}, "file_path"},
	} {
		p := newPlace(t, "hooks:\n  - {id: config, use: config-protection}\n")
		for what, payload := range map[string]string{
			"write biome.json": p.said(name, h.write, func(m map[string]any) {
				set(at(m, h.args...), obj{h.path: "biome.json",
					"content": "{}"})
			}),
			"edit .eslintrc.json":    p.said(name, h.edit, func(m map[string]any) { at(m, h.args...)[h.path] = ".eslintrc.json" }),
			"git commit --no-verify": p.said(name, h.shell, func(m map[string]any) { at(m, h.args...)["command"] = "git commit --no-verify -m x" }),
		} {
			if r := p.answer(name, "", payload); !blocked(name, r) {
				t.Errorf("%s: %s went through: exit %d, %s%s", name, what, r.Exit, r.Stdout, r.Stderr)
			}
		}
		if r := p.answer(name, "", p.said(name, h.write, func(m map[string]any) {
			set(at(m, h.args...), obj{h.path: "main.go",
				"content": "{}"})
		})); blocked(name, r) {
			t.Errorf("%s: an ordinary write was blocked: %s%s", name, r.Stdout, r.Stderr)
		}
	}
}

// FLOW defect 5: what the model is told is what the policies say, not the
// payload; and the payload comes back whole where the contract wants it.
func TestNoPayloadInTheContext(t *testing.T) {
	p := newPlace(t, "hooks:\n  - {id: steer, use: workflow-steering}\n")
	p.task("go on")
	prompt := p.said("claude-code", "UserPromptSubmit", func(m map[string]any) { m["prompt"] = strings.Repeat("secret words ", 40_000) })
	r := p.answer("claude-code", "UserPromptSubmit", prompt)
	if !bytes.Contains(r.Stdout, []byte("STATE: auth")) || bytes.Contains(r.Stdout, []byte("secret words")) || len(r.Stdout) > 4096 {
		t.Errorf("%d bytes: %.300s", len(r.Stdout), r.Stdout)
	}
	payload := fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"f","cwd":%q,"prompt":%q}`, p.project,
		strings.Repeat("y", 500<<10))
	r = p.answer("flow-agents", "", payload)
	if rest, ok := strings.CutPrefix(string(r.Stdout), payload); !ok || !strings.HasPrefix(rest, "\n\n---\n") ||
		!strings.HasSuffix(rest, "\n---") || !strings.Contains(rest, "STATE: auth") {
		t.Errorf("%d bytes of %d", len(r.Stdout), len(payload))
	}
}

// FLOW defect 8: on Codex the model reads the reason and nothing else, and a
// block that is never let go does not hold the agent for ever.
func TestCodexStop(t *testing.T) {
	p := newPlace(t, "hooks:\n  - {id: fit, use: stop-goal-fit, with: {mode: block}}\n")
	p.task("go on")
	p.put(filepath.Join(p.project, ".kontourai/flow-agents/auth/evidence.json"), `{"verdict":"fail"}`)
	ended := 0
	for ended < 10 {
		r := p.answer("codex", "Stop", p.said("codex", "Stop", nil))
		if bytes.Contains(r.Stdout, []byte("stop-control")) {
			t.Fatalf("a line for machines goes to the model: %s", r.Stdout)
		}
		if !bytes.Contains(r.Stdout, []byte(`"decision":"block"`)) {
			break
		}
		ended++
	}
	if ended < 3 || ended > 6 {
		t.Errorf("it was kept %d times", ended)
	}
}

// FLOW defect 9: what is only warned of is seen on Claude Code: by the person
// at once, by the model with the next prompt, and once.
func TestWarningsAreSeen(t *testing.T) {
	p := newPlace(t, "hooks:\n  - {id: fit, use: stop-goal-fit}\n")
	p.task("go on")
	r := p.answer("claude-code", "Stop", p.said("claude-code", "Stop", nil))
	if r.Exit != 0 || !bytes.Contains(r.Stdout, []byte(`"systemMessage"`)) || !bytes.Contains(r.Stdout, []byte("status:in_progress")) {
		t.Errorf("the person sees %s", r.Stdout)
	}
	prompt := p.said("claude-code", "UserPromptSubmit", nil)
	if r := p.answer("claude-code", "UserPromptSubmit", prompt); !bytes.Contains(r.Stdout, []byte("status:in_progress")) {
		t.Errorf("the model hears %s", r.Stdout)
	}
	if r := p.answer("claude-code", "UserPromptSubmit", prompt); bytes.Contains(r.Stdout, []byte("status:in_progress")) {
		t.Errorf("the model hears again %s", r.Stdout)
	}
}

// FLOW defect 9, too: what the quality gate found reaches the model with the
// result of the tool, on hosts that take text there.
func TestQualityGateIsHeard(t *testing.T) {
	if _, err := exec.LookPath("gofmt"); err != nil {
		t.Skip("no gofmt on this machine")
	}
	for name, h := range map[string]struct {
		label, path string
		args        []string
	}{
		"claude-code": {"PostToolUse:Write", "file_path", []string{"tool_input"}},
		"gemini-cli":  {"AfterTool:write_file", "file_path", []string{"tool_input"}},
		"opencode":    {"tool.execute.after:write", "filePath", []string{"input", "args"}},
		"pi":          {"tool_result:write", "path", []string{"event", "input"}},
	} {
		p := newPlace(t, "hooks:\n  - {id: format, use: quality-gate, with: {strict: true}}\n")
		file := filepath.Join(p.project, "bad.go")
		p.put(file, "package   bad\n")
		payload := p.said(name, h.label, func(m map[string]any) {
			var v any = m
			for _, key := range h.args {
				v = v.(map[string]any)[key]
			}
			v.(map[string]any)[h.path] = file
		})
		if r := p.answer(name, "", payload); r.Exit != 0 || strings.Count(string(r.Stdout), "gofmt check failed") < 1 {
			t.Errorf("%s hears %s%s", name, r.Stdout, r.Stderr)
		}
		if r := p.answer(name, "", payload); strings.Contains(string(r.Stdout), "gofmt check failed") {
			t.Errorf("%s hears it again: %s", name, r.Stdout)
		}
	}
}

// FLOW defect 14: our own kit is not passed by doing nothing. (What it holds
// adapters against is tested in package conformance.)
func TestOurKitIsNotVacuous(t *testing.T) {
	for _, line := range []string{"cat", "true"} {
		rep, err := conformance.Run(t.Context(), conformance.Command(line, "flow-agents"), conformance.Options{Level: conformance.L0})
		if err != nil {
			t.Skip(err) // no sh here
		}
		if rep.OK() {
			t.Errorf("%s reaches L0", line)
		}
	}
}

// FLOW defect 15: the page names what there is: every policy, every level, and
// no level that there is not.
func TestThePageSaysWhatThereIs(t *testing.T) {
	page, err := os.ReadFile("../../docs/flow-agents.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, use := range flowagents.Dialect.Baseline(dialects.Switches{Called: true, Getenv: func(string) string { return "" }}) {
		if !strings.Contains(text, "`"+use.Policy+"`") {
			t.Errorf("%s is not on the page", use.Policy)
		}
	}
	for _, level := range conformance.Levels {
		if !strings.Contains(text, level.String()) {
			t.Errorf("%s is not on the page", level)
		}
	}
	if strings.Contains(text, "L3") {
		t.Error("there is no L3")
	}
}

// FLOW-20: what cannot be read goes on and is on record; what an agent could
// bring about does not go on.
func TestUnreadableIsOnRecord(t *testing.T) {
	p := newPlace(t, "")
	if r := p.answer("flow-agents", "", "hello"); r.Exit != 0 || string(r.Stdout) != "hello" || len(r.Stderr) == 0 {
		t.Errorf("%+v", r)
	}
	nul := fmt.Sprintf(`{"hook_event_name":"PreToolUse","cwd":%q,"tool_name":"Write","tool_input":{"path":"biome.json","content":"\u0000"}}`,
		p.project)
	if r := p.answer("flow-agents", "", nul); !blocked("flow-agents", r) {
		t.Errorf("%+v", r)
	}
	recs := p.records()
	if len(recs) != 2 {
		t.Fatalf("%d records", len(recs))
	}
	for i, decision := range []string{"none", "deny"} {
		v, _ := recs[i]["verdict"].(map[string]any)
		e, _ := recs[i]["error"].(map[string]any)
		if e["code"] != "input" || v["decision"] != decision {
			t.Errorf("record %d: %v, %v", i, e, v)
		}
	}
}

// FLOW-40 to FLOW-42: the switches, in the environment and in the
// configuration, where a machine can take the environment's say away.
func TestSwitches(t *testing.T) {
	biome := `{"hook_event_name":"PreToolUse","tool_name":"write","tool_input":{"path":"biome.json"}}`
	for name, c := range map[string]struct {
		config, machine string
		env             [2]string
		want            bool
	}{
		"nothing said":            {want: true},
		"SA_HOOK_PROFILE=minimal": {env: [2]string{"SA_HOOK_PROFILE", "minimal"}},
		"SA_HOOK_PROFILE=strict":  {env: [2]string{"SA_HOOK_PROFILE", "strict"}, want: true},
		"SA_DISABLED_HOOKS":       {env: [2]string{"SA_DISABLED_HOOKS", "pre:config-protection"}},
		"configured: disabled":    {config: "flow: {disabled: [config-protection]}\n"},
		"configured: minimal":     {config: "flow: {profile: minimal}\n"},
		"configured before variables": {config: "flow: {profile: standard}\n", env: [2]string{"SA_HOOK_PROFILE", "minimal"},
			want: true},
		"the machine forbids": {machine: "flow: {environment: false}\n", env: [2]string{"SA_DISABLED_HOOKS",
			"config-protection"}, want: true},
		"and the user cannot undo it": {machine: "flow: {environment: false, disabled: []}\n",
			config: "flow: {environment: true, disabled: [config-protection]}\n", env: [2]string{"SA_HOOK_PROFILE", "minimal"}, want: true},
		"a policy that is configured": {config: "hooks:\n  - {id: mine, use: config-protection, with: {except: " +
			"[biome.json]}}\n"},
		"a configured hook that is not in force for this": {config: "hooks:\n  - {id: mine, use: config-protection, match: {tool: Other}}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, c.config)
			if c.machine != "" {
				p.put(filepath.Join(p.Dirs.Machine, "trammel.yaml"), "version: 1\n"+c.machine)
			}
			p.env[c.env[0]] = c.env[1]
			if r := p.answer("flow-agents", "", biome); blocked("flow-agents", r) != c.want {
				t.Errorf("exit %d, %s%s", r.Exit, r.Stdout, r.Stderr)
			}
		})
	}
}

// FLOW-65: a policy of the surface that fails is reported and does not block; a
// guard that somebody has configured does.
func TestFailures(t *testing.T) {
	p := newPlace(t, "")
	p.task("go on")
	log := filepath.Join(p.project, ".kontourai/flow-agents/auth/command-log.jsonl")
	if err := os.Symlink(filepath.Join(p.project, "elsewhere"), log); err != nil {
		t.Skip("no links here: ", err)
	}
	payload := fmt.Sprintf(
		`{"hook_event_name":"PostToolUse","session_id":"s","cwd":%q,"tool_name":"Bash","tool_input":{"command":"ls"},`+
			`"tool_response":{"exitCode":0}}`, p.project)
	r := p.answer("flow-agents", "", payload)
	if r.Exit != 0 || string(r.Stdout) != payload || !bytes.Contains(r.Stderr, []byte("is a link")) {
		t.Errorf("exit %d, %s%s", r.Exit, r.Stdout, r.Stderr)
	}
	p = newPlace(t, "hooks:\n  - {id: broken, on: PreToolUse, run: exit 3}\n")
	r = p.answer("flow-agents", "", fmt.Sprintf(`{"hook_event_name":"PreToolUse","cwd":%q,"tool_name":"Bash","tool_input":{"command":"ls"}}`,
		p.project))
	if !blocked("flow-agents", r) {
		t.Errorf("exit %d, %s%s", r.Exit, r.Stdout, r.Stderr)
	}
}

// FLOW-10, FLOW-13: what happens on the surface is reported although nothing is
// configured, at every profile, and without what must not be shown; it can be
// switched off.
func TestTelemetryWithoutConfiguration(t *testing.T) {
	for name, c := range map[string]struct {
		config  string
		env     [2]string
		written bool
	}{
		"nothing is said":        {written: true},
		"profile minimal":        {env: [2]string{"SA_HOOK_PROFILE", "minimal"}, written: true},
		"TELEMETRY_ENABLED":      {env: [2]string{"TELEMETRY_ENABLED", "false"}},
		"configured":             {config: "flow: {disabled: [telemetry]}\n"},
		"the environment is out": {config: "flow: {environment: false}\n", env: [2]string{"TELEMETRY_ENABLED", "false"}, written: true},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, c.config)
			if c.env[0] != "" {
				p.env[c.env[0]] = c.env[1]
				t.Setenv(c.env[0], c.env[1])
			}
			p.answer("flow-agents", "", fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":%q,"prompt":"a PROMPT"}`,
				p.project))
			for _, channel := range []string{"full", "analytics"} {
				data, err := os.ReadFile(filepath.Join(p.Dirs.State, "telemetry", channel+".jsonl"))
				if (err == nil) != c.written || c.written && !bytes.Contains(data, []byte(`"event_type":"userPromptSubmit"`)) ||
					bytes.Contains(data, []byte("PROMPT")) {
					t.Errorf("%s: %v, %s", channel, err, data)
				}
			}
		})
	}
}
