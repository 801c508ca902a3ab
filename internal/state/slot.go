package state

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/flock"
)

// maxWait is how long a lock is waited for, also where nobody sets a deadline:
// its holder needs it for a fraction of a millisecond.
const maxWait = 5 * time.Second

// slot is where a key is kept: a file in one of 256 folders of its bucket. Each
// folder has one lock, which is never removed, so that its files can be.
type slot struct{ folder, name string }

func (s slot) path() string { return s.folder + string(filepath.Separator) + s.name }

func (s slot) lock() string { return s.folder + string(filepath.Separator) + "lock" }

// Digest is a name for parts of any length and content.
func Digest(parts ...string) string {
	whole := make([]byte, 0, 256)
	for _, part := range parts {
		whole = append(strconv.AppendInt(whole, int64(len(part)), 10), ':')
		whole = append(whole, part...)
	}
	sum := sha256.Sum256(whole)
	var text [32]byte
	hex.Encode(text[:], sum[:len(text)/2])
	return string(text[:])
}

// existing returns the slots that keep something. Files are put in place whole,
// so those who only look need no lock, and leave none behind, where nothing is.
func existing(slots []slot) []slot {
	var out []slot
	for _, s := range slots {
		if !missing(s.path()) {
			out = append(out, s)
		}
	}
	return out
}

// locked holds the locks of all slots while it does something. They are taken
// in one order, so that nobody waits in a circle.
func locked(ctx context.Context, slots []slot, do func() error) error {
	if len(slots) > 1 {
		slots = slices.Clone(slots)
		slices.SortFunc(slots, func(a, b slot) int { return strings.Compare(a.folder, b.folder) })
	}
	for i, s := range slots {
		if i > 0 && s.folder == slots[i-1].folder {
			continue
		}
		held, err := hold(ctx, s.lock())
		if err != nil {
			return err
		}
		defer held.Unlock()
	}
	return do()
}

// hold takes a lock. A clock is set only where another holds it.
func hold(ctx context.Context, lock string) (*flock.Held, error) {
	held, err := flock.Try(lock)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(lock), 0o700); err != nil {
			return nil, err
		}
		held, err = flock.Try(lock)
	}
	if !errors.Is(err, flock.ErrBusy) {
		return held, err
	}
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	return flock.Lock(ctx, lock)
}
