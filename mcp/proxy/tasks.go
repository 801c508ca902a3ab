package proxy

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/trammel-dev/trammel/internal/strict"
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
	s.Tasks.Claim(s.User, id)
}

// anothersTask says why a message about a task does not go on: where users share
// our credentials, the server cannot tell whose a task is.
func (s *Session) anothersTask(m *frame.Message) string {
	id, named := m.Params["taskId"]
	if name, _ := id.(string); s.Tasks == nil || !named || s.Tasks.Has(s.User, name) {
		return ""
	}
	return "there is no such task of this user"
}

// tasksListed leaves the tasks of other users out of a list.
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

// task is the call that a task is of, as params or a result name it. That of a
// task that we do not know is a call about which nothing is known.
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

// taskSeen judges the result of a task: all of the response, or what is in it.
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

// nested judges what a message says about a task: its result, and what it asks for.
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

// Claims are things of a server that belong to users: by user, and name.
type Claims struct {
	mu  sync.Mutex
	all map[[2]string]bool
}

// maxClaims is how many are remembered. Then nothing is anybody's any more.
const maxClaims = 100_000

// Claim makes something a user's. To no Claims, nothing belongs to anybody.
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

// Has reports whether something is a user's.
func (c *Claims) Has(user, name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all[[2]string{user, name}]
}
