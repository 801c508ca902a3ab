package qwen

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// DecodeEvent reads what Qwen Code sent.
func (Dialect) DecodeEvent(raw []byte, name string) (*trammel.Event, error) {
	r := decode.Reader{Host: &Host, Bypass: []string{"yolo", "auto"}, Known: []string{"prompt_id", "submitted_prompt", "tool_call_id"},
		Read: readOwn}
	return r.Event(raw, name)
}

// readOwn reads what only Qwen has. It fires UserPromptSubmit again for tool
// results and for the reason of a stop-block; what the user submitted stands
// in a field of its own then, or rather is missing.
func readOwn(f *strict.Fields, ev *trammel.Event) {
	s := &ev.Session
	s.Turn = f.String("prompt_id")
	readParents(s)
	if ev.Kind == trammel.UserPromptSubmit {
		submitted, ok := f.Rest()["submitted_prompt"].(string)
		ev.Prompt.Synthetic = !ok || submitted == ""
	}
}

// readParents tells the sub-agent from the turn's id, which is
// session#agent#number there and session########number elsewhere. An event
// that names another agent besides is about a child of that sub-agent.
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
