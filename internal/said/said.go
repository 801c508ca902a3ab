// Package said remembers, across processes, what a session has been told, so
// that it is told again only when it has changed. A text is kept as its digest.
package said

import (
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/cache"
	"github.com/trammel-dev/trammel/internal/layers"
)

// The memory of a session that says nothing more lasts for a month.
const forgotten = 30 * 24 * time.Hour

// Changed reports whether text is another one than was last told under the
// key, which is made of its parts, and remembers it. If it cannot remember,
// the text counts as changed: told twice is better than not at all. In a
// rehearsal nothing is remembered.
func Changed(ev *trammel.Event, text string, parts ...string) (bool, error) {
	dirs, err := layers.System()
	if err != nil {
		return true, err
	}
	dir := cache.Dir{Path: filepath.Join(dirs.State, "said"), Age: forgotten, Most: 10_000}
	key, now := cache.Key(parts...), cache.Key(text)
	if old, _, ok := dir.Get(key, forgotten); ok && string(old) == now {
		return false, nil
	}
	if ev.Rehearsal {
		return true, nil
	}
	return true, dir.Put(key, []byte(now))
}
