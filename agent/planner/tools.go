package planner

import (
	"encoding/json"
	"strings"

	"github.com/trammel-dev/trammel/agent"
)

// Tool is something that a model can call.
type Tool struct {
	Name, About string
	Schema      map[string]any
}

// tools are the actions of the Agent Runtime.
func tools() []Tool {
	object := func(required []any, properties map[string]any) map[string]any {
		return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	text, free := map[string]any{"type": "string"}, map[string]any{"type": "object"}
	return []Tool{
		{"list_abilities", "Lists the abilities of this repository with the schemas of their input.", object([]any{}, map[string]any{})},
		{"create_task", "Asks whether an ability is available for an input, and creates a task if so. Nothing runs.",
			object([]any{"ability", "input"}, map[string]any{"ability": text, "input": free})},
		{"update_task", "Changes arguments of a task.", object([]any{"task_key", "input"}, map[string]any{"task_key": text, "input": free})},
		{"run_task", "Runs a task that was created. A person may have to approve it first.",
			object([]any{"task_key"}, map[string]any{"task_key": text})},
	}
}

const role = `You work in a repository through its abilities and nothing else: create a task for an ability, then run it.
A result that says unavailable, denied or requires_human is final: say so, or do what its suggestion says.
When you are done, answer in words.`

// opening is the conversation before the model's first reply: what it is, what
// the hooks have to tell it, what the user wants.
func opening(s *agent.Session, turn *agent.Turn) ([]Message, error) {
	abilities, err := s.Abilities()
	if err != nil {
		return nil, err
	}
	listed, err := json.Marshal(abilities)
	if err != nil {
		return nil, err
	}
	control, err := json.Marshal(turn.Control)
	if err != nil {
		return nil, err
	}
	parts := []string{role, "Abilities: " + string(listed), "Signals of the repository's hooks: " + string(control)}
	parts = append(parts, turn.Context.Context...)
	return []Message{{Role: "system", Text: strings.Join(parts, "\n\n")}, {Role: "user", Text: turn.Context.UserRawInput}}, nil
}
