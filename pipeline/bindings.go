package pipeline

import (
	"sync"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/plan"
)

// bindings caches the built hooks of a remembered configuration. Handlers can
// serve many events at once, so they need not be built for each. It is safe for
// concurrent use; nil caches nothing.
type bindings struct {
	mu    sync.Mutex
	hooks map[declaration]trammel.Hook
}

// declaration identifies a hook. The id alone is not enough: files of two
// layers may use the same one.
type declaration struct {
	id     string
	source trammel.Source
}

// bindingsFor returns the configuration's cache, or nil if hooks from elsewhere
// may be selected, too.
func (p *Program) bindingsFor(c *Config, r *Request) *bindings {
	d, _ := p.Dialects.Host(r.Event.Host)
	if _, ok := d.(dialects.Baseliner); ok || r.Select != nil {
		return nil
	}
	return c.bound
}

func (b *bindings) bind(p *Program, selected []plan.Hook) ([]trammel.Hook, error) {
	if b == nil {
		return plan.Bind(selected, p.Registry, p.Dialects.Hook)
	}
	out := make([]trammel.Hook, 0, len(selected))
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range selected {
		key := declaration{selected[i].ID, selected[i].Source}
		h, ok := b.hooks[key]
		if !ok {
			built, err := plan.Bind(selected[i:i+1], p.Registry, p.Dialects.Hook)
			if err != nil {
				return nil, err
			}
			if h = built[0]; b.hooks == nil {
				b.hooks = map[declaration]trammel.Hook{}
			}
			b.hooks[key] = h
		}
		h.Trial = selected[i].Trial // a pause puts a hook on trial, for as long as it lasts
		out = append(out, h)
	}
	return out, nil
}
