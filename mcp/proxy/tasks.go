package proxy

import (
	"context"
	"maps"

	"github.com/trammel-dev/trammel/mcp/frame"
)

// taskOf is the task that a result says a call has become, "" if it has not.
func taskOf(result map[string]any) string {
	if task, ok := result["task"].(map[string]any); ok {
		result = task
	} else if result["resultType"] != "task" {
		return ""
	}
	id, _ := result["taskId"].(string)
	return id
}

// maxTasks is how many tasks are remembered at a time.
const maxTasks = 10_000

// remember keeps the call that a task is of, until its result is there.
func (s *Session) remember(id string, e *exchange) {
	mem := s.memory()
	mem.mu.Lock()
	defer mem.mu.Unlock()
	if mem.tasks == nil || len(mem.tasks) >= maxTasks {
		mem.tasks = map[string]*exchange{}
	}
	e.task = id
	mem.tasks[id] = e
}

// task is the call that a task is of, as params or a result name it. That of a
// task that we do not know is a call about which nothing is known.
func (s *Session) task(names ...map[string]any) *exchange {
	for _, part := range names {
		id, ok := part["taskId"].(string)
		if !ok {
			continue
		}
		mem := s.memory()
		mem.mu.Lock()
		e := mem.tasks[id]
		mem.mu.Unlock()
		if e == nil {
			e = &exchange{id: "null", method: "tools/call", task: id, event: s.event(0, "tools/call", nil)}
		}
		return e
	}
	return nil
}

// taskSeen judges the result of a task: all of the response, or what is in it.
func (s *Session) taskSeen(ctx context.Context, m *frame.Message, e *exchange) []byte {
	if m.Error != nil {
		return s.errorOf(m)
	}
	call := s.task(e.params, m.Result)
	switch {
	case call == nil:
		return m.Raw
	case m.Result["result"] != nil || m.Result["inputRequests"] != nil:
		return s.nested(ctx, m, call, "result", m.Result)
	case e.method == "tasks/get":
		return m.Raw
	}
	now := *call
	now.id = e.id
	return s.called(ctx, m, &now)
}

// nested judges a result that stands inside of a message.
func (s *Session) nested(ctx context.Context, m *frame.Message, call *exchange, key string, part map[string]any) []byte {
	out := maps.Clone(part)
	if asks, ok := part["inputRequests"].(map[string]any); ok {
		if judged := s.judgeAsks(ctx, call, part, asks); judged["inputRequests"] == nil {
			out["inputRequests"] = map[string]any{}
		}
	}
	if result, ok := part["result"].(map[string]any); ok {
		out["result"] = s.judgeResult(ctx, m, call, result)
	}
	raw, err := m.With(key, out)
	if err != nil {
		return failure(m.ID, frame.InternalError, "Trammel could not rewrite the result of a task.")
	}
	return raw
}
