package state

import (
	"context"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel"
)

// Inbox keeps texts of a session until somebody takes them. Losing them costs a
// hint to the model, never a decision, so nothing here fails loudly.
type Inbox struct {
	store Store
	key   trammel.Key
}

// inboxSize bounds what may pile up for a session that never takes anything.
const inboxSize = 64 << 10

var (
	pending     = trammel.Bucket{Name: "pending", Keep: 7 * 24 * time.Hour, Lossy: true}
	stopReasons = trammel.Bucket{Name: "stop-reasons", Keep: 7 * 24 * time.Hour, Lossy: true}
)

// Pending is the context that a host could not take at one event, for the next
// event of the same session that can.
func Pending(s trammel.State, ev *trammel.Event) Inbox { return inbox(s, &pending, ev) }

// StopReasons are what stop hooks told the agent, so that a host that repeats
// one as a prompt is not taken for a person.
func StopReasons(s trammel.State, ev *trammel.Event) Inbox { return inbox(s, &stopReasons, ev) }

// inbox: a session without an id has none.
func inbox(s trammel.State, b *trammel.Bucket, ev *trammel.Event) Inbox {
	if ev.Session.ID == "" {
		return Inbox{}
	}
	return Inbox{Store{s, b, ev.Rehearsal}, trammel.Key{ev.Host, ev.Session.ID}}
}

// Put adds texts.
func (i Inbox) Put(ctx context.Context, texts []string) {
	if i.key == nil || len(texts) == 0 {
		return
	}
	_ = i.store.Update(ctx, i.key, func(old []byte) ([]byte, error) {
		next := append([]byte(nil), old...)
		for _, text := range texts {
			if quoted, err := jsontext.AppendQuote(next, strings.ToValidUTF8(text, "\uFFFD")); err == nil {
				next = append(quoted, '\n')
			}
		}
		if len(next) > inboxSize {
			return nil, nil
		}
		return next, nil
	})
}

// Take empties the inbox. Of two processes that take at once, one gets it all.
func (i Inbox) Take(ctx context.Context) []string {
	if i.key == nil {
		return nil
	}
	if value, err := i.store.Get(ctx, i.key); value == nil || err != nil {
		return nil
	}
	var data string
	if i.store.update(ctx, []trammel.Key{i.key}, func(values [][]byte) error {
		data, values[0] = string(values[0]), nil
		return nil
	}) != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(data) {
		if text, err := jsontext.AppendUnquote(nil, strings.TrimSuffix(line, "\n")); err == nil {
			out = append(out, string(text))
		}
	}
	return out
}
