package pipeline

import (
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/plan"
)

// budget returns the time that hooks get: the time until the deadline, minus a
// small part for recording and replying, or less if the settings say so. Without
// a deadline only the settings count.
func budget(deadline time.Time, s *plan.Settings) time.Duration {
	b := s.Deadline
	if !deadline.IsZero() {
		left := forHooks(time.Until(deadline))
		if b == 0 || left < b {
			b = max(left, time.Millisecond)
		}
	}
	return b
}

func forHooks(left time.Duration) time.Duration { return left - min(left/10, 500*time.Millisecond) }

// forPeople returns the time until the deadline of a call that people decide
// about, 0 if it has no separate deadline.
func (o *callOptions) forPeople() time.Duration {
	if !o.people.After(o.deadline) {
		return 0
	}
	return forHooks(time.Until(o.people))
}

// Granted returns the time that hooks get on a host for a kind of event. Longer
// timeouts have no effect.
func Granted(d trammel.HostDialect, kind trammel.Kind) time.Duration {
	wait := patienceOf(d, kind)
	return forHooks(wait - margin(wait))
}

// GrantedPeople returns the time that people get, on a host wired by the current
// init.
func GrantedPeople(d trammel.HostDialect, kind trammel.Kind) time.Duration {
	usual := patienceOf(d, kind)
	if w, ok := d.(interface {
		Patience(trammel.Kind) time.Duration
	}); ok && w.Patience(kind) > usual {
		all := w.Patience(kind)
		all = forHooks(all - margin(all))
		return all - min(Granted(d, kind), all/10)
	}
	return Granted(d, kind)
}

// patienceOf returns how long a host waits.
func patienceOf(d trammel.HostDialect, kind trammel.Kind) time.Duration {
	if wait := d.Powers(kind).Deadline; wait > 0 {
		return wait
	}
	return defaultDeadline
}

// deadlineOf returns the deadline that the host of a rehearsed event would set;
// zero if the host is unknown.
func (p *Program) deadlineOf(ev *trammel.Event) time.Time {
	d, ok := p.Dialects.Host(ev.Host)
	if !ok {
		return time.Time{}
	}
	wait := patienceOf(d, ev.Kind)
	return time.Now().Add(wait - margin(wait))
}
