package match

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/world"
)

// Call is the call of an event. It caches what one Spec computes for the next. It
// is not safe for concurrent use.
type Call struct {
	ev      *trammel.Event
	set     *effects.Set
	touched []*effects.Touch
	hosts   []model.Net // once they have been looked for
	kinds   uint32      // what it is and does, as bits
	in      *Globs
	unread  bool // something could not be looked at
}

// Look returns the call of an event. Nothing is worked out before it is asked for.
func Look(ev *trammel.Event) *Call { return &Call{ev: ev} }

// effects are what the call does.
func (c *Call) effects() *effects.Set {
	if c.set == nil {
		c.set = effects.Of(c.ev)
		for range Unread(c.set) {
			c.unread = true
			break
		}
	}
	return c.set
}

func (c *Call) touches() []*effects.Touch {
	if c.touched == nil {
		c.touched = effects.Touches(c.ev)
	}
	return c.touched
}

// globs reads globs where the call happens.
func (c *Call) globs() *Globs {
	if c.in == nil {
		c.in = In(world.Of(c.ev), c.root())
	}
	return c.in
}

// root is where relative globs begin: the project, or the session's directory.
func (c *Call) root() string {
	at := effects.At(c.ev)
	return cmp.Or(at.Project, at.Dir)
}

// does reports whether the call is one of these actions, or something in it does
// one of them, to whatever file or host.
func (c *Call) does(actions []trammel.ActionKind) bool {
	if c.kinds == 0 {
		c.kinds = 1 << 31
		a := &c.ev.Tool.Action
		for k := trammel.OtherAction; k <= trammel.AgentAction; k++ {
			if a.Is(k) || k == trammel.FetchAction && len(c.effects().Nets) > 0 || k == trammel.ReadAction && len(c.effects().Codes) > 0 ||
				slices.ContainsFunc(c.touches(), func(t *effects.Touch) bool { return touches(k, t, a) }) ||
				slices.ContainsFunc(c.effects().Files, func(f effects.File) bool { return f.Op == effects.Delete && k == trammel.DeleteAction }) {
				c.kinds |= 1 << k
			}
		}
	}
	return slices.ContainsFunc(actions, func(k trammel.ActionKind) bool {
		return c.kinds&(1<<k) != 0 || k == trammel.FetchAction &&
			slices.ContainsFunc(c.nets(), func(n model.Net) bool { return n.Host != WebSearch })
	})
}

// nets are the hosts that the call talks to.
func (c *Call) nets() []model.Net {
	if c.hosts == nil {
		c.hosts = append([]model.Net{}, effects.Hosts(c.effects())...)
		if SearchesWeb(c.ev.Tool.Name) {
			c.hosts = append(c.hosts, model.Net{Host: WebSearch, Run: -1, Own: true})
		}
	}
	return c.hosts
}

// WebSearch is the host that a tool for searching the web talks to: nobody knows which.
const WebSearch = "websearch"

// SearchesWeb reports whether a tool searches the web, by its name.
func SearchesWeb(tool string) bool {
	name := strings.ReplaceAll(strings.ToLower(tool), "_", "")
	return strings.Contains(name, WebSearch) || name == "codesearch"
}

// excludes reports, without looking at each effect, that none satisfies a Spec.
func (c *Call) excludes(s *Spec) bool {
	set := c.effects()
	switch {
	case s.Doubt && c.unread:
		return false
	case len(s.Actions) > 0 && !c.does(s.Actions),
		len(s.To) > 0 && len(c.nets()) == 0,
		len(s.Paths) > 0 && len(c.touches()) == 0 && len(set.Files)+len(set.Codes) == 0 && len(c.ev.Tool.Action.Paths) == 0:
		return true
	case len(s.Programs) == 0:
		return false
	}
	m := matcher{Spec: s, call: c, set: set}
	for i := range set.Runs {
		if m.program(i) != No {
			return false
		}
	}
	return true
}
