package qwen

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Dialect is Qwen Code's dialect, for the host.
var Dialect = dialect{decode.Reader{Host: &Host, Bypass: []string{"yolo", "auto"}, Read: readOwn,
	Known: []string{"prompt_id", "submitted_prompt", "tool_call_id"}}}

type dialect struct{ decode.Reader }

// readOwn reads what only Qwen has. It fires UserPromptSubmit again for tool
// results and for the reason of a stop-block; what the user submitted is in a
// separate field, which is then missing.
func readOwn(_ *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	s := &ev.Session
	s.Turn = f.String("prompt_id")
	readParents(s)
	if ev.Kind == trammel.UserPromptSubmit {
		submitted, ok := f.Rest()["submitted_prompt"].(string)
		ev.Prompt.Synthetic = !ok || submitted == ""
	}
}

// readParents finds the sub-agent in the turn's id, which is
// session#agent#number in a sub-agent and session########number elsewhere. An
// event that also names another agent is about a child of that sub-agent.
func readParents(s *trammel.Session) {
	rest, ok := strings.CutPrefix(s.Turn, s.ID+"#")
	if !ok || s.ID == "" {
		return
	}
	agent := strings.Trim(rest[:max(strings.LastIndexByte(rest, '#'), 0)], "#")
	switch {
	case agent == "" || agent == s.AgentID:
	case s.AgentID == "":
		s.AgentID, s.Parents = agent, []string{s.ID}
	default:
		s.Parents = []string{agent, s.ID}
	}
}
