// Package sample is what the hot program is measured with: an event, and
// configurations of some size.
package sample

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/internal/layers"
)

// Payload is a real PreToolUse of Claude Code, filled up to 1 KB.
func Payload(project string) []byte {
	event := fmt.Sprintf(
		`{"session_id":"3bbbded6-8463-4244-99bd-9701d571668d","transcript_path":"/home/dev/.claude/projects/-home-dev-project/3bbbded6.jsonl",`+
			`"cwd":%q,"prompt_id":"a4d7b410-8f8a-4510-a958-b262994e7ccf","permission_mode":"default","hook_event_name":"PreToolUse",`+
			`"tool_name":"Bash","tool_input":{"command":"go test ./... && git status --short","description":"%%s"},`+
			`"tool_use_id":"toolu_lab3370075_0"}`, project)
	fill := strings.Repeat("Run the tests and show what has changed. ", 40)
	return fmt.Appendf(nil, event, fill[:max(0, 1024-len(event)+2)])
}

// Nth is the payload as the n-th call of a session, which is another one each
// time: the same over and over is a loop, and is denied.
func Nth(payload []byte, n int) []byte {
	return bytes.Replace(payload, []byte("git status --short"), fmt.Appendf(nil, "git log -p -n %04d", n), 1)
}

// Environ is the environment of a user who lives in home.
func Environ(home string) []string { return append(os.Environ(), "HOME="+home) }

// Flags name the directories below home, as a wiring does.
func Flags(home string) []string {
	return []string{layers.UserFlag, filepath.Join(home, "config"), layers.StateFlag, filepath.Join(home, "state")}
}

// WriteConfig declares n hooks in a home directory, as people have them: most for other programs,
// tools and paths than this event's, a few on every shell command.
func WriteConfig(home string, n int, when bool) error {
	var b strings.Builder
	b.WriteString("version: 1\nhooks:\n")
	for i := range n {
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, "  - id: program-%d\n    on: pre_tool_use\n    match: {program: tool%d}\n    deny: {when: 'args.has(\"delete\")', "+
				"reason: Not with this tool.}\n", i, i)
		case 1:
			fmt.Fprintf(&b, "  - id: path-%d\n    on: pre_tool_use\n    match: {action: [write, edit], path: \"**/generated%d/**\"}\n    deny: "+
				"Generated files are written by the generator.\n", i, i)
		case 2:
			fmt.Fprintf(&b, "  - id: mcp-%d\n    on: pre_tool_use\n    match: {tool: mcp__server%d__write}\n    ask: This writes to server %d.\n",
				i, i, i)
		case 3:
			fmt.Fprintf(&b, "  - id: prompt-%d\n    on: user_prompt_submit\n    context: {when: 'prompt contains \"topic %d\"', text: See "+
				"docs/topic-%d.md.}\n", i, i, i)
		case 4:
			fmt.Fprintf(&b, "  - id: literal-%d\n    on: pre_tool_use\n    match: {action: shell}\n    deny: {when: 'command contains "+
				"\"forbidden-%d\"', reason: Not this.}\n", i, i)
		}
	}
	if when {
		b.WriteString("  - id: git-force\n    on: pre_tool_use\n    match: {program: git}\n    deny: {when: 'len(args.list) > 0 && " +
			"args.list[0] " +
			"== \"push\" && args.has(\"--force\")', reason: No.}\n")
	}
	return write(home, b.String())
}

// WritePreset declares a preset and nothing else.
func WritePreset(home, name string) error { return write(home, "version: 1\npreset: "+name+"\n") }

// WriteRepositoryHooks declares hooks in a repository none of which has to do
// with the event: as a team has them that guards its files and its sessions.
func WriteRepositoryHooks(root string) error {
	dir := filepath.Join(root, ".system", "hooks")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for id, more := range map[string]string{
		"ability_usage_tracker":      "event_type: PostAbilityCall\nblocking: false\n",
		"prompt_router":              "event_type: PromptSubmit\nblocking: true\n",
		"nonprod_availability_check": "event_type: PreAbilityCreate\nblocking: true\n",
		"prod_config_guard":          "event_type: PreAbilityCall\nblocking: true\nmatch: {ability_scope: edit_file}\n",
		"session_stop_build_check":   "event_type: SessionStop\nblocking: false\nmatch: {only_if_changed_paths: [\"services/**\"]}\n",
	} {
		text := fmt.Sprintf("id: %s\nenabled: true\n%shandler: {kind: script, command: ./scripts/hooks/%[1]s.py}\n", id, more)
		if err := os.WriteFile(filepath.Join(dir, id+".yaml"), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func write(home, text string) error {
	for _, dir := range []string{"config", "state"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(home, "config", layers.FileName), []byte(text), 0o600)
}
