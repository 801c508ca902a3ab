package liveness

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/claudecode"
	"github.com/trammel-dev/trammel/dialects/codex"
)

func calls(t *Transcript) string {
	var out []string
	for _, c := range t.Calls {
		out = append(out, fmt.Sprintf("%s %s %d", c.Tool, c.ID, c.Hooks))
	}
	return strings.Join(out, ", ")
}

// TestTranscripts: real transcripts of Claude Code 2.1.325 and Codex 0.166.0,
// shortened, and lines that are not valid.
func TestTranscripts(t *testing.T) {
	meta := `{"type":"session_meta","payload":{"id":"s","cwd":"/p","cli_version":"1"}}` + "\n"
	item := func(kind, name string) string {
		return `{"type":"response_item","timestamp":"2026-11-15T03:41:00.364Z","payload":{"type":"` + kind + `","name":"` + name +
			`","call_id":"c-` + name + `"}}` + "\n"
	}
	assistant := func(content string) string {
		return `{"type":"assistant","sessionId":"s","cwd":"/p","message":{"content":` + content + `}}` + "\n"
	}
	for _, c := range []struct {
		name, text, file string
		of               *dialects.Host
		session, calls   string
		skipped          int
	}{
		{name: "claude", file: "claude-code.jsonl", of: &claudecode.Host, session: claudeSession,
			calls: "Bash toolu_0_0_0 0, Write toolu_0_0_1 0"},
		{name: "codex", file: "codex.jsonl", of: &codex.Host, session: codexSession, calls: "exec_command call_0_0_0 0"},
		{name: "codex, each kind of call", text: meta + item("function_call", "shell") + item("custom_tool_call", "apply_patch") +
			item("local_shell_call", "") + item("function_call", "write_stdin") + item("custom_tool_call", "exec") + item("message", "x"),
			of: &codex.Host, session: "s", calls: "shell c-shell 0, apply_patch c-apply_patch 0, local_shell c- 0, write_stdin c-write_stdin 2, " +
				"exec c-exec 1"},
		{name: "the same call twice", text: strings.Repeat(assistant(`[{"type":"tool_use","id":"a","name":"Bash"}]`), 2), of: &claudecode.Host,
			session: "s", calls: "Bash a 0"},
		{name: "content that is text", text: assistant(`"tool_use"`), of: &claudecode.Host, session: "s"},
		{name: "content of another shape", text: assistant(`[1]`) + assistant(`[{"type":"tool_use","id":"a","name":"Bash"}]`),
			of:      &claudecode.Host,
			session: "s", calls: "Bash a 0", skipped: 1},
		{name: "torn last line", text: assistant(`[]`) + `{"type":"assis`, of: &claudecode.Host, session: "s", skipped: 1},
		{name: "not JSON, empty lines, keys that stand twice", text: "hello\n\n" + `{"sessionId":"s","sessionId":"s"}` + "\n",
			of:      &claudecode.Host,
			session: "s", skipped: 1},
		{name: "a line that is too long", text: `{"x":"` + strings.Repeat("x", maxLine) + `"}` + "\n" + assistant(`[]`), of: &claudecode.Host,
			session: "s", skipped: 1},
		{name: "nothing", of: &codex.Host},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.file != "" {
				raw, err := os.ReadFile("testdata/" + c.file)
				if err != nil {
					t.Fatal(err)
				}
				c.text = string(raw)
			}
			got, err := readTranscript(c.of.Transcripts, strings.NewReader(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if got.Session != c.session || calls(got) != c.calls || got.Skipped != c.skipped {
				t.Errorf("session %q, calls %q, %d skipped\nexpected %q, %q, %d", got.Session, calls(got), got.Skipped, c.session, c.calls, c.skipped)
			}
		})
	}
}

// TestIndirect: a session of code mode that left no trace at all is a gap, one
// that left some is not.
func TestIndirect(t *testing.T) {
	script := &Transcript{Session: "s", Calls: []dialects.ToolUse{{ID: "a", Tool: "exec", Time: now, Hooks: dialects.Indirect},
		{ID: "b", Tool: "write_stdin", Time: now, Hooks: dialects.Unhooked}}}
	if g, n := script.gap(nil, now, now); g == nil || n != 1 || g.Calls != 1 {
		t.Errorf("without a trace: %+v, %d", g, n)
	}
	if g, n := script.gap(&sessionSeen{calls: 2, ids: map[string]bool{"exec-1": true}}, now, now); g != nil || n != 0 {
		t.Errorf("with a trace: %+v, %d", g, n)
	}
}

func FuzzTranscript(f *testing.F) {
	for _, name := range []string{"claude-code.jsonl", "codex.jsonl"} {
		raw, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			f.Add(line)
		}
	}
	f.Add("{\n[\n\"\n\xff\n{}")
	f.Fuzz(func(t *testing.T, text string) {
		for _, h := range []*dialects.Host{&claudecode.Host, &codex.Host} {
			got, err := readTranscript(h.Transcripts, strings.NewReader(text))
			if err != nil {
				t.Fatal(err) // nothing in a text is an error: only the reader can fail
			}
			if lines := strings.Count(text, "\n") + 1; got.Skipped > lines {
				t.Errorf("%d of %d lines skipped", got.Skipped, lines)
			}
			for _, c := range got.Calls {
				if c.ID == "" {
					t.Error("a call without an id")
				}
			}
			got.gap(nil, now, now)
		}
	})
}
