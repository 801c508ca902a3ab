package state

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel"
)

// Files is a State in one small file per key, which all processes of a user
// share. A process that is killed leaves the old value or the new one. A file
// that is damaged is an error that names it, unless the bucket is lossy.
type Files struct{ Dir string }

// View implements trammel.State. It leaves no trace. One file alone is read without a
// lock: it is put in place whole, or changed by one write, and one that is read in the
// middle of that fails its check.
func (f Files) View(ctx context.Context, b *trammel.Bucket, keys []trammel.Key, look func([][]byte) error) error {
	slots := f.slots(b, keys)
	if len(slots) == 1 && replacesOpen {
		e, value, err := slots[0].open(false)
		e.close()
		if err == nil {
			return wrapped(look([][]byte{value}))
		}
	}
	there := existing(slots)
	if len(there) == 0 {
		return wrapped(look(make([][]byte, len(keys))))
	}
	return wrapped(locked(ctx, there, func() error {
		entries, values, err := load(b, slots)
		defer closeAll(entries)
		if err != nil {
			return err
		}
		return look(values)
	}))
}

// Update implements trammel.State.
func (f Files) Update(ctx context.Context, b *trammel.Bucket, keys []trammel.Key, change func([][]byte) error) error {
	slots := f.slots(b, keys)
	return wrapped(locked(ctx, slots, func() error {
		entries, values, err := load(b, slots)
		defer closeAll(entries)
		if err != nil {
			return err
		}
		old := slices.Clone(values)
		if err := change(values); err != nil {
			return err
		}
		for i := range values {
			switch {
			case values[i] == nil && old[i] == nil || values[i] != nil && old[i] != nil && bytes.Equal(values[i], old[i]):
				continue
			case values[i] == nil:
				entries[i].close()
				err = os.Remove(slots[i].path())
			default:
				err = entries[i].write(values[i])
			}
			if err != nil {
				return err
			}
			slots[i].sweep(b, old[i] == nil)
		}
		return nil
	}))
}

func wrapped(err error) error {
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	return nil
}

func (f Files) slots(b *trammel.Bucket, keys []trammel.Key) []slot {
	out := make([]slot, len(keys))
	for i := range keys {
		out[i] = f.slot(b, keys[i])
	}
	return out
}

func (f Files) slot(b *trammel.Bucket, key trammel.Key) slot {
	id := Digest(key...)
	return slot{filepath.Join(f.Dir, b.Name, id[:2]), id[2:]}
}

// load reads the files of all slots. The caller closes the entries, also after
// an error.
func load(b *trammel.Bucket, slots []slot) (entries []entry, values [][]byte, err error) {
	entries, values = make([]entry, 0, len(slots)), make([][]byte, len(slots))
	for i, s := range slots {
		e, value, err := s.open(b.Lossy)
		if err != nil {
			return entries, nil, err
		}
		entries, values[i] = append(entries, e), value
	}
	return entries, values, nil
}

func closeAll(entries []entry) {
	for i := range entries {
		entries[i].close()
	}
}
