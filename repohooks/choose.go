package repohooks

import (
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/dialects/repohooks"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/plan"
)

// choose finds the hooks that run: selected by their match, or bound to the
// ability by id. A binding that does not hold is a mistake in configuration:
// before the fact nothing may go on then, afterwards it is reported (AIC-53).
func (p *place) choose(ev *trammel.Event, event EventType, blockingOnly bool, bound []string) (hooks []plan.Hook, dangling []HookError,
	err error) {
	if hooks, err = p.Plan.Select(ev); err != nil {
		return nil, nil, err
	}
	for _, id := range bound {
		h, err := p.bound(id, event)
		switch {
		case err != nil && event.SignalsAgent():
			return nil, nil, &DanglingError{id, err}
		case err != nil:
			dangling = append(dangling, HookError{id, trammel.CodeConfig, err.Error()})
		case h != nil:
			hooks = with(hooks, h)
		}
	}
	for _, h := range p.Compiled.Withheld {
		if slices.Contains(h.On, ev.Kind) {
			hooks = append(hooks, h)
		}
	}
	if blockingOnly {
		hooks = slices.DeleteFunc(hooks, func(h plan.Hook) bool { return !waitsFor(&h) })
	}
	return hooks, dangling, nil
}

// with adds a bound hook, once. Being bound to the ability takes the place of
// the scope; the rest of the match still holds.
func with(hooks []plan.Hook, h *plan.Hook) []plan.Hook {
	h.Match.Abilities = nil
	if i := slices.IndexFunc(hooks, func(o plan.Hook) bool { return o.ID == h.ID }); i >= 0 {
		hooks[i] = *h
		return hooks
	}
	return append(hooks, *h)
}

// bound finds the hook that a binding names, nil if it is switched off.
func (p *place) bound(id string, event EventType) (*plan.Hook, error) {
	for i := range p.Compiled.Report {
		e := &p.Compiled.Report[i]
		if e.Declared != id || e.Repository == nil {
			continue
		}
		switch e.Status {
		case config.InForce:
			return p.named(e.ID, event)
		case config.NotEnabled, config.Disabled, config.OffProfile: // ignored, as it should be (AIC-21)
			return nil, nil
		case config.Duplicate: // its trusted copy follows or came before
			continue
		}
		return nil, trammel.Fail(trammel.CodeConfig, "the hook %q is bound to the ability and is not in force (%s): %s", id, e.Status, e.Why)
	}
	return nil, trammel.Fail(trammel.CodeConfig, "the hook %q is bound to the ability, and no file below %s declares it", id,
		layers.RepositoryHooks)
}

func (p *place) named(id string, event EventType) (*plan.Hook, error) {
	i := slices.IndexFunc(p.Compiled.Hooks, func(h plan.Hook) bool { return h.ID == id })
	h := p.Compiled.Hooks[i]
	if kinds := event.Kinds(); !slices.Contains(kinds, h.On[0]) {
		return nil, trammel.Fail(trammel.CodeConfig, "the hook %q is bound for %s, but is declared for %s", id, event, repohooks.EventOf(h.On[0]))
	}
	return &h, nil
}

// waitsFor reports whether a runtime waits for a hook. Those of the repository
// say so themselves; of the others every one counts, because the record that
// an observer keeps must not have gaps.
func waitsFor(h *plan.Hook) bool { return h.Dialect != repohooks.Name || h.Blocking }

// waiting are the notes about files of hooks that do not count in full.
func (p *place) waiting() []string {
	var out []string
	for _, n := range p.Compiled.Notes {
		if p.declaresHooks(n.Path) {
			out = append(out, n.String())
		}
	}
	return out
}

// declaresHooks reports whether a path is that of a repository hook in force or not.
func (p *place) declaresHooks(path string) bool {
	return slices.ContainsFunc(p.Set.Files, func(f layers.File) bool { return f.Path == path && f.IsRepositoryHook() })
}

// unread reports files of the project that are wrong. They are not trusted, or
// nothing would have been loaded at all; what they would forbid is unknown.
func (p *place) unread() error {
	for _, n := range p.Compiled.Notes {
		if n.Code == config.CodeBroken && (p.Compiled.HooksOff == "" || !p.declaresHooks(n.Path)) {
			return trammel.Fail(trammel.CodeConfig, "the hooks cannot be asked: %s", n)
		}
	}
	return nil
}
