package state

import (
	"context"
	"time"

	"github.com/trammel-dev/trammel"
)

var told = trammel.Bucket{Name: "told", Keep: 30 * 24 * time.Hour, Most: 10_000, Lossy: true}

// Told remembers what a session was told last under a key, which is made of its
// parts, and reports whether the text is another one. A text is kept as its
// digest. If it cannot remember, the text counts as changed: told twice is
// better than not at all. In a rehearsal nothing is remembered.
func Told(ctx context.Context, s trammel.State, ev *trammel.Event, text string, parts ...string) (changed bool, err error) {
	changed = true
	err = Store{s, &told, ev.Rehearsal}.Update(ctx, parts, func(old []byte) ([]byte, error) {
		now := Digest(text)
		changed = string(old) != now
		return []byte(now), nil
	})
	return changed, err
}
