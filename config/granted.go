package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
)

// CodeTimeout is the code of notes about a declared time that no host grants.
const CodeTimeout = "timeout_over_host"

// CodeTimeoutSomewhere is the code if some hosts grant the time and others do
// not, and the hook names no host.
const CodeTimeoutSomewhere = "timeout_over_some_hosts"

// granter is implemented by registries that know how long hosts wait.
type granter interface {
	// Granted is the time for hooks on each host that reports this kind of
	// event.
	Granted(trammel.Kind) map[string]time.Duration
	// GrantedPeople is the same for calls that people decide about.
	GrantedPeople(trammel.Kind) map[string]time.Duration
	// Wirable reports whether init can wire a host. One that it cannot wire
	// counts only if it is named.
	Wirable(host string) bool
}

// granted notes a timeout that is longer than a host grants: that host kills
// the hook earlier, which is a failure.
func (c *compiler) granted(d *declared) {
	h := d.decl
	hosts := d.hook.Match.Hosts
	for _, kind := range d.hook.On {
		c.beyond(granter.Granted, kind, hosts, duration(h.Timeout), func(who string, some bool) {
			code := layers.Code(CodeTimeout)
			if some {
				code = CodeTimeoutSomewhere
			}
			c.note(code, d.file.Path, d.at(&h.Timeout).Line, "hook %q: timeout is %v, but on %s these agents wait less: %s", h.ID,
				duration(h.Timeout), kind, who)
		})
	}
}

// deadlineGranted notes a deadline that is longer than what any host grants on
// any event.
func (c *compiler) deadlineGranted(u *unit) {
	longest, g := time.Duration(0), c.granter()
	if g == nil || !u.has(&u.Deadline) {
		return
	}
	for _, kind := range trammel.Kinds() {
		for _, t := range g.Granted(kind) {
			longest = max(longest, t)
		}
	}
	if d := duration(u.Deadline); d > longest {
		c.note(CodeTimeout, u.file.Path, u.at(&u.Deadline).Line, "deadline is %v, but no host grants hooks more than %v", d, longest)
	}
}

func (c *compiler) granter() granter {
	g, _ := c.reg.(granter)
	return g
}

// beyond says which hosts grant less than limit on a kind of event, and whether
// others, if no host is named, grant it.
func (c *compiler) beyond(granted func(granter, trammel.Kind) map[string]time.Duration, kind trammel.Kind, hosts []string,
	limit time.Duration, say func(who string, some bool)) {
	g := c.granter()
	if g == nil {
		return
	}
	all := granted(g, kind)
	byTime, enough := map[time.Duration][]string{}, false
	for _, host := range slices.Sorted(maps.Keys(all)) {
		counts := slices.Contains(hosts, host) || len(hosts) == 0 && g.Wirable(host)
		switch {
		case !counts:
		case all[host] < limit:
			byTime[all[host]] = append(byTime[all[host]], host)
		default:
			enough = true
		}
	}
	var parts []string
	for _, t := range slices.Sorted(maps.Keys(byTime)) {
		parts = append(parts, fmt.Sprintf("%v (%s)", t, strings.Join(byTime[t], ", ")))
	}
	if len(parts) > 0 {
		say(strings.Join(parts, ", "), enough && len(hosts) == 0)
	}
}
