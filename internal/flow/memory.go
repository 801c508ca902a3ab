package flow

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
)

// Memory is what a policy remembers of a session from one event to the next:
// one word. Without a session to tell by, nothing is remembered, and in a
// rehearsal nothing is kept.
type Memory struct {
	store state.Store
	key   trammel.Key
}

var memories = trammel.Bucket{Name: "flow", Keep: 30 * 24 * time.Hour, Most: 10_000, Lossy: true}

// Remember is the memory of a policy for the session of an event, about one
// thing.
func Remember(in trammel.State, ev *trammel.Event, s Session, policy, about string) Memory {
	session := cmp.Or(ev.Session.ID, s.Actor)
	if session == "" {
		return Memory{}
	}
	return Memory{state.Store{State: in, Bucket: &memories, Rehearsal: ev.Rehearsal}, trammel.Key{policy, ev.Host, session, s.Dir, about}}
}

// Changed reports whether a text is another one than last time, and remembers
// it. What cannot be remembered counts as changed: to hear something twice is
// better than never.
func (m Memory) Changed(ctx context.Context, text string) bool {
	changed := true
	_ = m.update(ctx, func(old string) string {
		now := state.Digest(text)
		changed = old != now
		return now
	})
	return changed
}

// Streak counts how often the same thing has come in a row.
func (m Memory) Streak(ctx context.Context, thing string) (int, error) {
	n, now := 1, state.Digest(thing)
	err := m.update(ctx, func(old string) string {
		last, count, _ := strings.Cut(old, " ")
		if c, err := strconv.Atoi(count); err == nil && last == now && c > 0 {
			n = c + 1
		}
		return now + " " + strconv.Itoa(n)
	})
	return n, err
}

// Forget starts over. In a rehearsal only this Memory does.
func (m *Memory) Forget(ctx context.Context) {
	if m.key != nil && !m.store.Rehearsal {
		_ = m.store.Remove(ctx, m.key)
	} else {
		m.key = nil
	}
}

func (m Memory) update(ctx context.Context, change func(old string) string) error {
	if m.key == nil {
		change("")
		return nil
	}
	return m.store.Update(ctx, m.key, func(old []byte) ([]byte, error) { return []byte(change(string(old))), nil })
}
