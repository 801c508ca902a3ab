package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// Scripted is a model that says what a script says: a JSON object a line, with
// text and calls. $TASK in an input is the key of the task made last.
type Scripted struct{ lines []Reply }

// NewScripted reads a script.
func NewScripted(script []byte) (*Scripted, error) {
	s := &Scripted{}
	for i, line := range strings.Split(strings.TrimSpace(string(script)), "\n") {
		var r Reply
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			return nil, fmt.Errorf("line %d of the script: %w", i+1, err)
		}
		s.lines = append(s.lines, r)
	}
	return s, nil
}

// Next says the next line; after the last one it has nothing more to say.
func (s *Scripted) Next(_ context.Context, messages []Message, _ []Tool) (Reply, error) {
	if len(s.lines) == 0 {
		return Reply{}, nil
	}
	r := s.lines[0]
	s.lines = s.lines[1:]
	task := lastTask(messages)
	for i := range r.Calls {
		r.Calls[i].ID = fmt.Sprintf("call-%d-%d", len(messages), i)
		r.Calls[i].Input, _ = canonical.MapTexts(r.Calls[i].Input, func(text string) string {
			return strings.ReplaceAll(text, "$TASK", task)
		}).(map[string]any)
	}
	return r, nil
}

func lastTask(messages []Message) (key string) {
	for _, m := range messages {
		for _, r := range m.Results {
			var said struct {
				TaskKey string `json:"task_key"`
			}
			if json.Unmarshal([]byte(r.Text), &said) == nil && said.TaskKey != "" {
				key = said.TaskKey
			}
		}
	}
	return key
}
