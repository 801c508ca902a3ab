package counter

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/internal/layers"
)

// Files keeps counts in one small file per key. A process that is killed while
// it counts leaves the old count or the new one. A file that is damaged is an
// error that names it; nobody guesses what it held.
type Files struct {
	Dir string
	// Rehearsal is set to learn what would come of it: nothing is kept.
	Rehearsal bool
	// clocks is set by tests.
	clocks func() (wall, mono int64)
}

// System returns the counts of this user on this machine, in a folder of the
// state directory.
func System(folder string) (Files, error) {
	dirs, err := layers.System()
	if err != nil {
		return Files{}, err
	}
	return Files{Dir: filepath.Join(dirs.State, folder)}, nil
}

// clocks reads the time of day, and the time since the machine was started,
// which every process of a machine sees alike and nobody can set.
func clocks() (wall, mono int64) { return time.Now().UnixNano(), sinceStart() }

// Take implements Store. A rehearsal, and claims that all only look, leave no
// trace.
func (f Files) Take(ctx context.Context, claims ...Claim) ([]Count, error) {
	slots := make([]slot, len(claims))
	looks := true
	for i := range claims {
		slots[i] = f.slot(claims[i].Key)
		looks = looks && claims[i].N == 0
	}
	lock, keep := slots, !f.Rehearsal && !looks
	if !keep {
		lock = begun(slots)
	}
	counts := make([]Count, len(claims))
	err := locked(ctx, lock, func() error {
		files, err := f.load(slots, claims)
		defer files.close()
		if err != nil {
			return err
		}
		room := true
		for i := range claims {
			counts[i] = files[i].count(&claims[i])
			room = room && counts[i].Room
		}
		if room {
			for i := range claims {
				files[i].add(&claims[i])
				counts[i].Used = files[i].used(&claims[i])
			}
		}
		if !keep {
			return nil
		}
		return files.keep(claims, room)
	})
	if err != nil {
		return nil, fmt.Errorf("count: %w", err)
	}
	return counts, nil
}

// counted is a window at the present time, and the file that it is from.
type counted struct {
	*entry
	*window
	jumped bool
}

// table is what stands under the keys of some claims, in their order.
type table []counted

// load reads the files of all claims; claims under the same key share one.
func (f Files) load(slots []slot, claims []Claim) (table, error) {
	read := f.clocks
	if read == nil {
		read = clocks
	}
	wall, mono := read()
	out := make(table, 0, len(slots))
	for i, s := range slots {
		if j := slices.Index(slots[:i], s); j >= 0 {
			out = append(out, out[j])
			continue
		}
		e, body, err := s.open()
		if err != nil {
			return out, err
		}
		c := counted{entry: &e, window: &window{wall: wall, mono: mono}}
		out = append(out, c)
		if body != nil {
			if err := c.parse(string(body)); err != nil {
				return out, fmt.Errorf("%s cannot be used: %w; remove it to start counting again", s.path(), err)
			}
		}
		out[i].jumped = c.advance(wall, mono)
		if claims[i].Window > 0 {
			c.drop(claims[i].Window)
		}
	}
	return out, nil
}

// keep writes what has changed. That the clocks have jumped is kept in any
// case, so that a window opens in time.
func (t table) keep(claims []Claim, room bool) error {
	for i := range t {
		if !t[i].jumped && (!room || claims[i].N == 0) {
			continue
		}
		if err := t[i].write(t[i].append(nil)); err != nil {
			return err
		}
		t[i].sweep()
	}
	return nil
}

func (t table) close() {
	for i := range t {
		t[i].entry.close()
	}
}

// Update changes what is kept under a key, which may be anything: old is nil
// if nothing is. change returns what is to be kept, or nil to leave it.
func (f Files) Update(ctx context.Context, key []string, change func(old []byte) ([]byte, error)) error {
	slots := []slot{f.slot(key)}
	lock := slots
	if f.Rehearsal {
		lock = begun(slots)
	}
	err := locked(ctx, lock, func() error {
		e, old, err := slots[0].open()
		if err != nil {
			return err
		}
		defer e.close()
		body, err := change(old)
		if err != nil || body == nil || f.Rehearsal {
			return err
		}
		defer e.sweep()
		return e.write(body)
	})
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	return nil
}
