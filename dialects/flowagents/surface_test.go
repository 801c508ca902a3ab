package flowagents_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	_ "github.com/trammel-dev/trammel/internal/layers/isolated" // HOME and XDG_* choose the directories
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/test/testfile"
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

func (p *place) put(path, text string) { testfile.Write(p, path, text, 0o600) }

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
			`{"event":"tool.execute.before","directory":%q,"input":{"tool":"write","sessionID":"s","callID":"c"},"output":{"args":{"content":%q,`+
				`"filePath":"biome.json"}}}`, p.project, big),
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
