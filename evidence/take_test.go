package evidence

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// Records of another log are taken as they are, over rotations, and only if all
// of them are sound and follow on.
func TestTake(t *testing.T) {
	lines := read(t, filepath.Join(fill(t, 8, Options{}), currentName))
	at := func(n int) int { // where the nth line begins
		from := 0
		for range n {
			from += slices.Index(lines[from:], '\n') + 1
		}
		return from
	}
	dir := filepath.Join(t.TempDir(), "log")
	log := Open(dir, Options{Segment: int64(at(4) + 10)})
	for _, c := range []struct {
		from, to int
		last     uint64 // 0: they are not taken
	}{{at(1), at(2), 0}, {0, at(2), 2}, {at(1), at(4), 0}, {at(2), at(4) - 1, 0}, {at(2), at(4), 4}, {at(4), at(8), 8}} {
		r, err := log.Take(soon(t), slices.Clone(lines[c.from:c.to]))
		var broken *Broken
		if c.last > 0 && (err != nil || r.Seq != c.last) || c.last == 0 && !errors.As(err, &broken) {
			t.Fatalf("%d to %d: %+v, %v", c.from, c.to, r, err)
		}
	}
	if r := sound(t, dir, 8); r.Segments != 2 {
		t.Errorf("%d segments", r.Segments)
	}
}
