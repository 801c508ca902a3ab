package proxy

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/mcp/frame"
)

// taskOf is the task that a call has become according to its result, "" if none.
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

// remember keeps the call of a task until its result arrives.
func (s *Session) remember(id string, e *exchange) {
	mem := s.memory()
	mem.mu.Lock()
	defer mem.mu.Unlock()
	if mem.tasks == nil || len(mem.tasks) >= maxTasks {
		mem.tasks = map[string]*exchange{}
	}
	e.task = id
	mem.tasks[id] = e
	s.Tasks.Claim(s.User, id)
}

// anothersTask says why a message about a task is refused: if users share our
// credentials, the server does not know the owner of a task.
func (s *Session) anothersTask(m *frame.Message) string {
	id, named := m.Params["taskId"]
	if name, _ := id.(string); s.Tasks == nil || !named || s.Tasks.Has(s.User, name) {
		return ""
	}
	return "this user has no such task"
}

// tasksListed removes other users' tasks from a list.
func (s *Session) tasksListed(_ context.Context, m *frame.Message, _ *exchange) []byte {
	list, _ := m.Result["tasks"].([]any)
	if m.Error != nil || s.Tasks == nil || len(list) == 0 {
		return s.errorOf(m)
	}
	result := maps.Clone(m.Result)
	result["tasks"] = slices.DeleteFunc(slices.Clone(list), func(entry any) bool {
		task, _ := entry.(map[string]any)
		id, _ := task["taskId"].(string)
		return !s.Tasks.Has(s.User, id)
	})
	raw, err := m.With("result", result)
	if err != nil {
		return failure(m.ID, frame.InternalError, err.Error())
	}
	return raw
}

// task is the call of the task that params or a result name. For an unknown
// task it is an unknown call.
func (s *Session) task(names ...map[string]any) *exchange {
	id := ""
	for _, part := range names {
		if id == "" {
			id, _ = part["taskId"].(string)
		}
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

// taskSeen judges the result of a task: the whole response, or the result inside it.
func (s *Session) taskSeen(ctx context.Context, m *frame.Message, e *exchange) []byte {
	if m.Error != nil {
		return s.errorOf(m)
	}
	call := s.task(e.params, m.Result)
	if e.method == "tasks/get" || m.Result["result"] != nil || m.Result["inputRequests"] != nil {
		return s.nested(ctx, m, call, "result", m.Result)
	}
	now := *call
	now.id = e.id
	return s.called(ctx, m, &now)
}

// nested judges the result of a task inside a message, and its requests.
func (s *Session) nested(ctx context.Context, m *frame.Message, call *exchange, key string, part map[string]any) []byte {
	out := part
	if asks, ok := part["inputRequests"].(map[string]any); ok {
		if out = s.judgeAsks(ctx, call, part, asks); out["inputRequests"] == nil {
			out = maps.Clone(part)
			out["inputRequests"] = map[string]any{}
		}
	}
	if out = s.safe(out); says(out) { // as if it were the result itself
		out = s.judgeResult(ctx, m, call, out)
	}
	if result, ok := part["result"].(map[string]any); ok {
		judged := s.judgeResult(ctx, m, call, result)
		if strict.CaseVariant(result, names...) != nil {
			judged = denied("The result of this task is withheld: two readers could understand it differently.", call.modern)
		}
		out = maps.Clone(out)
		out["result"] = judged
	}
	raw, err := m.With(key, out)
	if err != nil {
		return failure(m.ID, frame.InternalError, "Trammel could not rewrite the result of a task.")
	}
	return raw
}

// Claims are the things of a server that belong to users, by user and name.
type Claims struct {
	mu  sync.Mutex
	all map[[2]string]bool
}

// maxClaims is how many are remembered. Beyond that, all are forgotten.
const maxClaims = 100_000

// Claim assigns something to a user. A nil Claims does nothing.
func (c *Claims) Claim(user, name string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil || len(c.all) >= maxClaims {
		c.all = map[[2]string]bool{}
	}
	c.all[[2]string{user, name}] = true
}

// Has reports whether something belongs to a user.
func (c *Claims) Has(user, name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all[[2]string{user, name}]
}
