package plan

import (
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/changed"
)

// Bind turns declarations into hooks of the engine: handlers from the
// registry, conditions from the match, ceilings from the dialect. A kind of
// handler that the registry does not know is trammel.ErrUnknownKind.
func Bind(hooks []Hook, reg *trammel.Registry, dialect func(name string) (trammel.HookDialect, bool)) ([]trammel.Hook, error) {
	out := make([]trammel.Hook, 0, len(hooks))
	for i := range hooks {
		h := &hooks[i]
		matches := h.Match.Bind()
		handler, err := reg.Build(trammel.Spec{Hook: h.ID, Kind: h.Kind, Config: h.Config, Dir: h.Dir, Source: h.Source, On: h.On,
			Match: &matches})
		if err != nil {
			return nil, err
		}
		bound := trammel.Hook{ID: h.ID, On: h.On, Handler: handler, Kind: h.Kind, May: h.May, NoRewrite: !h.Rewrites,
			Trial: h.Trial, Yields: h.Yields, Except: bindExceptions(h.Except),
			Priority: h.Priority, Timeout: h.Timeout, OnError: h.OnError, Source: h.Source, Match: matches}
		if h.Dialect != "" {
			d, ok := dialect(h.Dialect)
			if !ok {
				return nil, fmt.Errorf("hook %q: unknown dialect %q", h.ID, h.Dialect)
			}
			bound.Ceiling = d.Ceiling
			if o, ok := d.(dialects.ErrorDefaulter); ok && bound.OnError == trammel.DefaultOnError {
				bound.OnError = o.OnError()
			}
			if f, ok := d.(dialects.FailCloser); ok {
				bound.FailsClosed = f.FailsClosed
			}
		}
		if w, ok := handler.(trammel.Waiter); ok && w.Waits() || h.Kind == "builtin" && h.Rewrites {
			bound.Digest = h.digest()
		}
		out = append(out, bound)
	}
	return out, nil
}

// digest covers everything that the hook's answer depends on. Its position, its
// match and its authority are not included.
func (h *Hook) digest() string {
	return canonical.DigestOf([]string{h.ID, h.Kind, h.Dialect, string(h.Config)})
}

func bindExceptions(list []Exception) []trammel.Exception {
	var out []trammel.Exception
	for i := range list {
		x := &list[i]
		matches := x.Match.about()
		if len(x.Commands) > 0 {
			matches.If = append(matches.If, match.Exactly(x.Commands, x.Match.To))
		} else if len(x.Arguments) > 0 {
			matches.If = append(matches.If, match.Arguments(x.Arguments))
		} else if spec := x.Match.Spec(); !spec.Empty() {
			matches.If = append(matches.If, match.Covered(spec))
		}
		out = append(out, trammel.Exception{Match: matches, Until: x.Until, Reason: x.Reason, Source: x.Source})
	}
	return out
}

// about returns the part of the match that does not depend on what the call does.
func (m *Match) about() trammel.Match {
	out := trammel.Match{Tools: m.Tools, Like: m.Like, Hosts: m.Hosts, Agents: m.Agents}
	if len(m.Projects) > 0 {
		out.If = append(out.If, match.Projects(m.Projects))
	}
	return out
}

// Bind converts the match to the engine's form.
func (m *Match) Bind() trammel.Match {
	out := m.about()
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
