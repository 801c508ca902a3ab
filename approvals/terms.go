package approvals

import (
	"fmt"
	"strings"
)

// Describe says in a line whom a hook with these terms asks, and for how long:
// "asks 2 of group:finance, who have 10m; the call waits up to 45s, then the
// agent has to come again".
func (s *Settings) Describe(t *Terms) string {
	m := s.Merged(t)
	n, err := s.Needs(&m)
	if err != nil {
		return "asks nobody: " + err.Error()
	}
	who := factors(n.Factors)
	for _, step := range n.Escalate {
		who += ", later also " + strings.Join(step, ", ")
	}
	if len(m.Channels) > 0 {
		who += " through " + strings.Join(m.Channels, ", ")
	}
	limit := "who have " + Span(m.Expires)
	if m.OnTimeout == "keep" {
		limit = "who have no time limit"
	}
	return fmt.Sprintf("asks %s, %s; %s", who, limit, map[string]string{
		"block": "the call waits as long as the agent lets it",
		"park":  "the agent has to make the call again",
		"auto":  fmt.Sprintf("the call waits up to %s, then the agent has to make it again", Span(m.Hold)),
	}[m.Mode])
}
