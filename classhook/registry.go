package classhook

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel"
)

// Registry holds the hooks of an agent. It is safe for concurrent use; what it
// has given to an engine does not change any more.
type Registry struct {
	mu    sync.Mutex
	hooks []Hook
}

// Register adds hooks. A name can be taken only once, whatever the point.
func (r *Registry) Register(hooks ...Hook) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, h := range hooks {
		if err := check(h); err != nil {
			return err
		}
		if slices.ContainsFunc(r.hooks, func(old Hook) bool { return old.Name() == h.Name() }) {
			return fmt.Errorf("class hook %q is registered already", h.Name())
		}
		r.hooks = append(r.hooks, h)
	}
	return nil
}

func check(h Hook) error {
	switch {
	case h == nil:
		return fmt.Errorf("a class hook is nil")
	case h.Name() == "":
		return fmt.Errorf("a class hook has no name")
	case h.Point() < SessionStart || h.Point() > PostToolUse:
		return fmt.Errorf("class hook %q: %v is no point, expected session_start, pre_tool_use or post_tool_use", h.Name(), h.Point())
	}
	if _, err := path.Match(h.Filter(), ""); err != nil {
		return fmt.Errorf("class hook %q: filter %q: %w", h.Name(), h.Filter(), err)
	}
	return nil
}

// Unregister removes a hook by name, and reports whether it was there.
func (r *Registry) Unregister(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := len(r.hooks)
	r.hooks = slices.DeleteFunc(r.hooks, func(h Hook) bool { return h.Name() == name })
	return len(r.hooks) < before
}

// List returns the hooks of a point in the order in which they run; of all
// points, one after the other, if none is given.
func (r *Registry) List(points ...Point) []Hook {
	if len(points) == 0 {
		points = []Point{SessionStart, PreToolUse, PostToolUse}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []Hook
	for _, p := range points {
		from := len(out)
		for _, h := range r.hooks {
			if h.Point() == p {
				out = append(out, h)
			}
		}
		slices.SortStableFunc(out[from:], func(a, b Hook) int { return cmp.Compare(a.Priority(), b.Priority()) })
	}
	return out
}

// Len counts the hooks.
func (r *Registry) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.hooks)
}

func (r *Registry) String() string {
	var names []string
	for _, h := range r.List() {
		names = append(names, fmt.Sprintf("%s %s (%d)", h.Point(), h.Name(), h.Priority()))
	}
	return "class hooks: " + strings.Join(names, ", ")
}

// Hooks returns the chains for an engine:
//
//	engine, err := trammel.New(registry.Hooks())
//
// A sub-agent's engine is made with Child, which inherits them all and can
// only add (FIM-53).
func (r *Registry) Hooks() []trammel.Hook { return r.chains("") }

// Bypass returns the chains for an evaluation run that must not be held up
// (FIM-52). Nothing that hooks before a tool say has an effect, and every event
// is recorded with what they would have said, by whom they were bypassed and
// why. Hooks after a tool, such as an audit log, run as ever. Both texts must
// be given.
func (r *Registry) Bypass(by, reason string) ([]trammel.Hook, error) {
	if by == "" || reason == "" {
		return nil, fmt.Errorf("a bypass of class hooks needs to say by whom and why")
	}
	return r.chains(fmt.Sprintf("class hooks bypassed by %s: %s", by, reason)), nil
}

var places = [...]struct {
	point Point
	on    []trammel.Kind
	may   trammel.Authority
}{
	{SessionStart, []trammel.Kind{trammel.SessionStart}, trammel.Contextual},
	{PreToolUse, []trammel.Kind{trammel.PreToolUse}, trammel.Guard},
	{PostToolUse, []trammel.Kind{trammel.PostToolUse, trammel.PostToolFailure}, trammel.Rewrite},
}

func (r *Registry) chains(bypass string) []trammel.Hook {
	var out []trammel.Hook
	for _, p := range places {
		c := &chain{point: p.point, hooks: r.List(p.point)}
		if len(c.hooks) == 0 {
			continue
		}
		h := trammel.Hook{ID: "class_hooks." + p.point.String(), On: p.on, May: p.may, Handler: c, Kind: "class"}
		if bypass != "" && p.point == PreToolUse {
			c.bypass, h.Trial = bypass, true
		}
		out = append(out, h)
	}
	return out
}
