package flowagents_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/conformance"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/flowagents"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	_ "github.com/trammel-dev/trammel/internal/layers/isolated" // HOME and XDG_* choose the directories
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// place is a machine with a project on it, and the whole program.
type place struct {
	*testing.T
	*full.Program
	project string
	env     map[string]string
}

// newPlace makes one with the user's configuration, and a task in the project.
func newPlace(t *testing.T, config string) *place {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "FLOW_AGENTS_ACTOR", "FLOW_AGENTS_GOAL_FIT_MODE",
		"FLOW_AGENTS_GOAL_FIT_STRICT"} {
		t.Setenv(name, "")
	}
	dirs, err := layers.System()
	if err != nil {
		t.Fatal(err)
	}
	dirs.Machine = filepath.Join(home, "machine")
	p := &place{T: t, project: t.TempDir(), env: map[string]string{}}
	p.put(filepath.Join(dirs.User, "trammel.yaml"), "version: 1\n"+config)
	p.put(filepath.Join(p.project, "AGENTS.md"), "")
	p.Program = full.New(dirs)
	return p
}

func (p *place) put(path, text string) {
	p.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
}

// task writes the state of the task.
func (p *place) task(summary string) {
	p.put(filepath.Join(p.project, ".kontourai/flow-agents/auth/state.json"),
		fmt.Sprintf(`{"status":"in_progress","phase":"execution","next_action":{"status":"continue","summary":%q}}`, summary))
}

func (p *place) answer(hostName, event, payload string) trammel.Reply {
	p.Helper()
	return p.Answer(p.Context(), pipeline.Call{Host: hostName, Event: event, Stdin: strings.NewReader(payload), Dir: p.project,
		Getenv: func(name string) string { return p.env[name] }})
}

// records are what the evidence holds.
func (p *place) records() []map[string]any {
	p.Helper()
	dir, err := pipeline.EvidenceDir(p.Dirs, layers.Root(p.Dirs, p.project))
	if err != nil {
		p.Fatal(err)
	}
	var out []map[string]any
	if err := evidence.Scan(dir, func(e evidence.Entry) error {
		r, err := e.Record()
		out = append(out, r)
		return err
	}); err != nil {
		p.Fatal(err)
	}
	return out
}

// folders are where the recorded payloads of hosts are.
var folders = map[string]string{"claude-code": "claudecode", "codex": "codex", "gemini-cli": "gemini", "opencode": "opencode", "pi": "pi",
	"qwen-code": "qwen", "copilot-cli": "copilot", "docker-agent": "dockeragent", "kiro": "kiro", "cursor": "cursor", "vscode": "vscode"}

// said is a payload as a host really sent it, in this project and one session.
func (p *place) said(hostName, label string, change func(payload map[string]any)) string {
	p.Helper()
	for _, file := range []string{"payloads.jsonl", "documented.jsonl"} {
		data, err := os.ReadFile(filepath.Join("..", folders[hostName], "testdata", file))
		if err != nil {
			continue // not all have both
		}
		for line := range bytes.Lines(data) {
			var l struct {
				Event   string         `json:"event"`
				Payload map[string]any `json:"payload"`
			}
			if err := json.Unmarshal(line, &l); err != nil {
				p.Fatal(err)
			}
			if l.Event != label {
				continue
			}
			if change != nil {
				change(l.Payload)
			}
			raw, err := json.Marshal(l.Payload)
			if err != nil {
				p.Fatal(err)
			}
			d, _ := p.Dialects.Host(hostName)
			ev, err := d.DecodeEvent(raw, "")
			if err != nil {
				p.Fatalf("%s %s: %v", hostName, label, err)
			}
			text := string(raw)
			if ev.Session.ID != "" {
				text = strings.ReplaceAll(text, quoted(ev.Session.ID), quoted("one-session"))
			}
			for _, dir := range []string{ev.Session.Dir, ev.Session.Project} {
				if dir != "" {
					text = strings.ReplaceAll(text, quoted(dir), quoted(p.project))
				}
			}
			return text
		}
	}
	p.Fatalf("%s has no payload %s", hostName, label)
	return ""
}

func quoted(s string) string {
	q, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic(err) // it was read from JSON
	}
	return string(q)
}

// turns are what hosts send from the start of a session on. The names are the
// ones that the wiring gives.
var turns = map[string]struct{ start, prompt []string }{
	"claude-code": {[]string{"SessionStart"}, []string{"UserPromptSubmit", "PreToolUse:Bash", "PostToolUse:Bash"}},
	"codex":       {[]string{"SessionStart"}, []string{"UserPromptSubmit", "PreToolUse:Bash", "PostToolUse:Bash"}},
	"gemini-cli":  {[]string{"SessionStart"}, []string{"BeforeAgent", "BeforeTool:run_shell_command", "AfterTool:run_shell_command"}},
	"opencode":    {[]string{"event:session.created"}, []string{"chat.message", "tool.execute.before:bash", "tool.execute.after:bash"}},
	"pi":          {[]string{"session_start"}, []string{"input", "before_agent_start", "tool_call:bash", "tool_result:bash"}},

	"qwen-code":    {[]string{"SessionStart"}, []string{"UserPromptSubmit", "PreToolUse:run_shell_command", "PostToolUse:run_shell_command"}},
	"copilot-cli":  {[]string{"sessionStart"}, []string{"userPromptSubmitted", "preToolUse:bash", "postToolUse:bash"}},
	"docker-agent": {[]string{"session_start"}, []string{"user_prompt_submit", "turn_start", "pre_tool_use:shell", "post_tool_use:shell"}},
	"kiro":         {[]string{"SessionStart"}, []string{"UserPromptSubmit", "PreToolUse:shell", "PostToolUse:shell"}},
	"cursor":       {[]string{"sessionStart"}, []string{"beforeSubmitPrompt", "preToolUse:Shell", "postToolUse:Shell"}},
	"vscode":       {[]string{"SessionStart"}, []string{"UserPromptSubmit", "PreToolUse:run_in_terminal", "PostToolUse"}},
}

// FLOW-30 and FLOW defect 4: on every host that can be told something, the model
// learns where its task stands exactly once, and again when that has changed or
// a session starts; also where the text has to wait for an event that takes it.
func TestSteeringReachesTheModelOnce(t *testing.T) {
	for name, turn := range turns {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, "hooks:\n  - {id: steer, use: workflow-steering}\n")
			heard := func(text string, labels ...string) (n int) {
				t.Helper()
				for _, label := range labels {
					r := p.answer(name, "", p.said(name, label, nil))
					if r.Exit != 0 {
						t.Fatalf("%s: exit %d, %s", label, r.Exit, r.Stderr)
					}
					n += strings.Count(string(r.Stdout), text)
				}
				return n
			}
			p.task("first")
			if n := heard("STATE: auth", append(append([]string{}, turn.start...), turn.prompt...)...); n != 1 {
				t.Errorf("in the first turn the model heard it %d times", n)
			}
			if n := heard("STATE: auth", append(append([]string{}, turn.prompt...), turn.prompt...)...); n != 0 {
				t.Errorf("later it heard it %d times again", n)
			}
			p.task("second")
			if n := heard("second", append(append([]string{}, turn.prompt...), turn.prompt...)...); n != 1 {
				t.Errorf("of a change it heard %d times", n)
			}
			if n := heard("STATE: auth", append(append([]string{}, turn.start...), turn.prompt...)...); n != 1 {
				t.Errorf("in a new session it heard it %d times", n)
			}
		})
	}
}

// FLOW-30: what is said with a prompt that is denied reaches nobody, so it is
// said again.
func TestSteeringIsNotLostWithADenial(t *testing.T) {
	p := newPlace(t, "hooks:\n  - {id: steer, use: workflow-steering}\n  - {id: no, on: UserPromptSubmit, deny: {when: 'prompt == \"bad\"', "+
		"reason: no}}\n")
	p.task("go on")
	say := func(prompt string) string {
		return string(p.answer("claude-code", "", p.said("claude-code", "UserPromptSubmit",
			func(m map[string]any) { m["prompt"] = prompt })).Stdout)
	}
	if out := say("bad"); !strings.Contains(out, `"decision":"block"`) || strings.Contains(out, "STATE: auth") {
		t.Error(out)
	}
	if out := say("good"); !strings.Contains(out, "STATE: auth") {
		t.Error(out)
	}
}

// blocked reports whether a host takes a reply for a block.
func blocked(hostName string, r trammel.Reply) bool {
	switch hostName {
	case "opencode", "pi":
		return r.Exit == 0 && bytes.Contains(r.Stdout, []byte(`"block":true`))
	case "gemini-cli":
		return r.Exit == 0 && bytes.Contains(r.Stdout, []byte(`"decision":"deny"`))
	case "flow-agents":
		return r.Exit == 2 && len(r.Stdout) == 0 && len(r.Stderr) > 0
	}
	return r.Exit == 0 && bytes.Contains(r.Stdout, []byte(`"permissionDecision":"deny"`))
}

// FLOW defect 1: what was cut off is not let through, by nobody, on no host.
func TestTruncationIsNoWayThrough(t *testing.T) {
	big := strings.Repeat("x", 2<<20)
	p := newPlace(t, "")
	write := func(key string) string {
		return fmt.Sprintf(
			`{"hook_event_name":"PreToolUse","session_id":"s","cwd":%q,"tool_name":"Write","tool_input":{"content":%q,"%s":"biome.json"}}`,
			p.project, big, key)
	}
	for name, payload := range map[string]string{
		"claude-code": write("file_path"),
		"codex":       write("file_path"),
		"opencode": fmt.Sprintf(
			`{"event":"tool.execute.before","directory":%q,"input":{"tool":"write","sessionID":"s","callID":"c"},"output":{"args":{"content":%q,"filePath":"biome.json"}}}`, p.project, big),
		"pi": fmt.Sprintf(
			`{"event":{"type":"tool_call","toolName":"write","toolCallId":"c","input":{"content":%q,"path":"biome.json"}},"cwd":%q,"session":"s"}`,
			big, p.project),
		"flow-agents": write("path"),
	} {
		d, _ := p.Dialects.Host(name)
		event := map[string]string{"opencode": "tool.execute.before", "pi": "tool_call"}[name]
		if event == "" {
			event = "PreToolUse"
		}
		if r := p.answer(name, event, payload); !blocked(name, r) {
			t.Errorf("%s: whole: exit %d, %.200s", d.Name(), r.Exit, r.Stdout)
		}
		// Cut by somebody before us, who said so.
		p.env["SA_HOOK_INPUT_TRUNCATED"] = "1"
		if r := p.answer(name, event, payload[:1<<20]); !blocked(name, r) {
			t.Errorf("%s: cut: exit %d, %.200s", d.Name(), r.Exit, r.Stdout)
		}
		delete(p.env, "SA_HOOK_INPUT_TRUNCATED")
	}
	// Events that are not about to do anything go on, whole (FLOW-03).
	after := strings.Replace(write("path"), "PreToolUse", "PostToolUse", 1)
	if r := p.answer("flow-agents", "", after); r.Exit != 0 || string(r.Stdout) != after {
		t.Errorf("after a tool: exit %d, %d bytes of %d", r.Exit, len(r.Stdout), len(after))
	}
}

// A guard that somebody has configured is not blinded by a large payload.
func TestTruncationAndConfiguredGuards(t *testing.T) {
	p := newPlace(t, "flow: {disabled: [config-protection]}\nhooks:\n  - {id: no, on: PreToolUse, match: {tool: Write}, deny: never}\n")
	payload := fmt.Sprintf(`{"hook_event_name":"PreToolUse","cwd":%q,"tool_input":{"content":%q},"tool_name":"Write"}`, p.project,
		strings.Repeat("x", 2<<20))
	r := p.answer("flow-agents", "", payload)
	if !blocked("flow-agents", r) {
		t.Errorf("exit %d, %.200s", r.Exit, r.Stderr)
	}
	p = newPlace(t, "flow: {disabled: [config-protection]}\n")
	if r := p.answer("flow-agents", "", payload); r.Exit != 0 || string(r.Stdout) != payload {
		t.Errorf("nobody guards: exit %d", r.Exit)
	}
}

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
		p := newPlace(t, "hooks:\n  - {id: format, use: quality-gate}\n")
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
	for _, use := range flowagents.New().Baseline(dialects.Switches{Called: true, Getenv: func(string) string { return "" }}) {
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

// FLOW-65: a policy of the surface that fails is told of and does not block; a
// guard that somebody has configured does.
func TestFailures(t *testing.T) {
	p := newPlace(t, "")
	p.task("go on")
	log := filepath.Join(p.project, ".kontourai/flow-agents/auth/command-log.jsonl")
	if err := os.Symlink(filepath.Join(p.project, "elsewhere"), log); err != nil {
		t.Skip("no links here: ", err)
	}
	payload := fmt.Sprintf(
		`{"hook_event_name":"PostToolUse","session_id":"s","cwd":%q,"tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"exitCode":0}}`, p.project)
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
