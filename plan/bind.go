package plan

import (
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/changed"
)

// Bind turns declarations into hooks of the engine: handlers from the
// registry, conditions from the match, ceilings from the dialect. A kind of
// handler that the registry does not know is trammel.ErrUnknownKind.
func Bind(hooks []Hook, reg *trammel.Registry, dialect func(name string) (trammel.HookDialect, bool)) ([]trammel.Hook, error) {
	out := make([]trammel.Hook, 0, len(hooks))
	for i := range hooks {
		h := &hooks[i]
		matches := h.Match.bind()
		handler, err := reg.Build(trammel.Spec{Hook: h.ID, Kind: h.Kind, Config: h.Config, Dir: h.Dir, Source: h.Source, On: h.On,
			Match: &matches})
		if err != nil {
			return nil, err
		}
		bound := trammel.Hook{ID: h.ID, On: h.On, Handler: handler, Kind: h.Kind, May: h.May, NoRewrite: !h.Rewrites,
			Trial: h.Trial, Yields: h.Yields,
			Priority: h.Priority, Timeout: h.Timeout, OnError: h.OnError, Source: h.Source, Match: matches}
		if h.Dialect != "" {
			d, ok := dialect(h.Dialect)
			if !ok {
				return nil, fmt.Errorf("hook %q: unknown dialect %q", h.ID, h.Dialect)
			}
			bound.Ceiling = d.Ceiling
			if o, ok := d.(dialects.Failer); ok && bound.OnError == trammel.DefaultOnError {
				bound.OnError = o.OnError()
			}
			if f, ok := d.(dialects.Closer); ok {
				bound.FailsClosed = f.FailsClosed
			}
		}
		out = append(out, bound)
	}
	return out, nil
}

func (m *Match) bind() trammel.Match {
	out := trammel.Match{Tools: m.Tools, Like: m.Like, Hosts: m.Hosts, Agents: m.Agents}
	if len(m.Projects) > 0 {
		out.If = append(out.If, match.Projects(m.Projects))
	}
	if spec := m.Spec(); !spec.Empty() {
		out.If = append(out.If, &spec)
	}
	if len(m.Abilities) > 0 {
		out.If = append(out.If, match.Abilities(m.Abilities))
	}
	if m.Slower > 0 {
		out.If = append(out.If, match.Slower(m.Slower))
	}
	if len(m.Changed) > 0 {
		out.If = append(out.If, changed.Paths(m.Changed))
	}
	return out
}
