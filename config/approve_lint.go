package config

import (
	"time"

	"github.com/trammel-dev/trammel/approvals"
)

// people looks for calls that should wait longer than agents do. Such a call is
// not lost: the agent is asked to repeat it.
func (l *linter) people(d *declared) {
	a := d.decl.Approve
	var wait time.Duration
	at := d.at(&a.Mode)
	switch {
	case a.Mode == "block":
		if wait = duration(a.Expires); wait == 0 {
			wait = approvals.DefaultExpires
		}
	case a.Mode != "park" && d.has(&a.Hold):
		wait, at = duration(a.Hold), d.at(&a.Hold)
	default:
		return
	}
	for _, kind := range d.hook.On {
		l.beyond(granter.GrantedPeople, kind, d.hook.Match.Hosts, wait, func(who string, _ bool) {
			l.add(d, at, "waits-over-host", "", "the call should wait for people up to %s, but on %s it can wait at most %s; "+
				"after that the agent is told to make the same call again", approvals.Span(wait), kind, who)
		})
	}
}
