package config

import (
	"reflect"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/repohooks"
)

// The default time limits of scripts. At the end of a session there is time for
// a build; a host may grant less.
const (
	scriptTimeout = 30 * time.Second
	stopTimeout   = 10 * time.Minute
)

// repositoryFile reads a file as one hook.
func (c *compiler) repositoryFile(u *unit, errs *collector) *declared {
	u.document = &document{reader: newReader(u.file.Path, errs)}
	before := errs.total
	hook := &RepositoryHook{}
	if root := u.surveyed(u.file.Data); root != nil {
		u.into(root, reflect.ValueOf(hook).Elem())
	} else if errs.total == before {
		u.source.fail(mark{Line: 1, Column: 1}, "the keys id, event_type, enabled and blocking", "the file declares no hook")
	}
	d := c.repositoryHook(u, hook, before)
	d.entry.Repository, d.entry.Script = hook, d.script
	return d
}

func (c *compiler) repositoryHook(u *unit, root *RepositoryHook, before int) *declared {
	r := repository{compiler: c, unit: u, RepositoryHook: root, event: repohooks.EventType(root.EventType)}
	h := &HookDecl{ID: ID(root.ID), About: strings.Join(strings.Fields(root.Summary), " "), Enabled: root.Enabled}
	u.marks[&h.Enabled] = u.at(&root.Enabled)
	u.marks[&h.ID] = u.at(&root.ID)
	d := newDeclared(u, h)
	if u.errs.total > before {
		d.broken = true
		return d
	}
	d.hook.On = r.event.Kinds()
	r.match(d)
	r.conduct(d)
	r.handler(d)
	return c.configured(d, before)
}

// repository is one such file while it is read.
type repository struct {
	*compiler
	*unit
	*RepositoryHook
	event repohooks.EventType
}

// match sets when the hook runs. A key that does not fit the event is an error,
// not a hook that never runs (AIC-26).
func (r *repository) match(d *declared) {
	m := r.Match
	if m == nil {
		return
	}
	about := func(e repohooks.EventType) bool {
		return e == repohooks.PreAbilityCreateEvent || e == repohooks.PreAbilityCallEvent || e == repohooks.PostAbilityCallEvent
	}
	r.fits(&m.AbilityScope, "ability_scope", "PreAbilityCreate, PreAbilityCall or PostAbilityCall", about(r.event))
	r.fits(&m.MinDurationMS, "min_duration_ms", "PostAbilityCall", r.event == repohooks.PostAbilityCallEvent)
	r.fits(&m.OnlyIfChangedPaths, "only_if_changed_paths", "SessionStop", r.event == repohooks.SessionStopEvent)
	for _, list := range []*OneOrMore[Glob]{&m.AbilityScope, &m.OnlyIfChangedPaths} {
		if r.has(list) && len(*list) == 0 {
			r.source.fail(r.at(list), "at least one glob", "an empty list matches nothing")
		}
	}
	d.hook.Match.Abilities = texts(m.AbilityScope)
	d.hook.Match.Changed = texts(m.OnlyIfChangedPaths)
	if m.MinDurationMS != nil {
		d.hook.Match.Slower = time.Duration(*m.MinDurationMS) * time.Millisecond
	}
}

func (r *repository) fits(p any, key, events string, fits bool) {
	if r.has(p) && !fits {
		r.source.fail(r.at(p), "event_type: "+events, "match.%s never matches on %s", key, r.event)
	}
}

// conduct sets what the hook may do and what its failure means. Blocking hooks
// on the agent's events can stop it; all others only comment.
func (r *repository) conduct(d *declared) {
	h := &d.hook
	h.Blocking, h.Timeout, h.OnError, h.May = r.Blocking, scriptTimeout, trammel.WarnOnError, trammel.Observe
	if r.event == repohooks.SessionStopEvent {
		h.Timeout = stopTimeout
	}
	pre := r.event == repohooks.PreAbilityCreateEvent || r.event == repohooks.PreAbilityCallEvent
	if r.event.SignalsAgent() {
		h.May = trammel.Contextual
		if r.Blocking {
			h.May = trammel.Guard
			if pre && r.OnFailure != "skip" || r.OnFailure == "fail" {
				h.OnError = trammel.BlockOnError
			}
		}
	}
	if r.has(&r.OnFailure) && !(r.event.SignalsAgent() && r.Blocking) {
		r.source.fail(r.at(&r.OnFailure), "on_failure only on a blocking hook of PromptSubmit, PreAbilityCreate or PreAbilityCall",
			"a failure of this hook never stops anything")
	}
	if r.Handler != nil && r.Handler.TimeoutMS > 0 {
		h.Timeout = time.Duration(r.Handler.TimeoutMS) * time.Millisecond
	}
}

// advisory reports whether decisions of the hook are only comments.
func (r *repository) advisory() bool { return r.event.SignalsAgent() && !r.Blocking }
