package pipeline

import (
	"strconv"
	"sync"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/plan"
)

// bindings caches the built hooks of a remembered configuration, and the engines of
// what was selected from them. Handlers can serve many events at once, so they need
// not be built for each. It is safe for concurrent use; nil caches nothing.
type bindings struct {
	mu      sync.Mutex
	hooks   map[declaration]trammel.Hook
	engines map[string]*trammel.Engine // by what was selected
	key     []byte                     // buffer for one
}

// maxEngines limits the engines that are cached. Events are alike, so there are few.
const maxEngines = 200

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

// engine runs the selected hooks.
func (b *bindings) engine(p *Program, selected []plan.Hook) (*trammel.Engine, error) {
	if b == nil {
		hooks, err := plan.Bind(selected, p.Registry, p.Dialects.Hook)
		if err != nil {
			return nil, err
		}
		return engineOf(hooks)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.key = b.key[:0]
	for i := range selected {
		h := &selected[i]
		for _, text := range [...]string{h.ID, h.Source.Layer, h.Source.File} {
			b.key = append(append(b.key, text...), 0)
		}
		b.key = strconv.AppendInt(b.key, int64(h.Source.Line), 10)
		b.key = strconv.AppendBool(strconv.AppendBool(b.key, h.Source.Untrusted), h.Trial)
	}
	if e, ok := b.engines[string(b.key)]; ok {
		return e, nil
	}
	hooks, err := b.bind(p, selected)
	if err != nil {
		return nil, err
	}
	e, err := engineOf(hooks)
	if err == nil {
		if len(b.engines) >= maxEngines || b.engines == nil {
			b.engines = map[string]*trammel.Engine{}
		}
		b.engines[string(b.key)] = e
	}
	return e, err
}

func engineOf(hooks []trammel.Hook) (*trammel.Engine, error) {
	e, err := trammel.New(hooks)
	if err != nil {
		return nil, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	return e, nil
}

// bind builds hooks, or finds those that were built before.
func (b *bindings) bind(p *Program, selected []plan.Hook) ([]trammel.Hook, error) {
	out := make([]trammel.Hook, 0, len(selected))
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
