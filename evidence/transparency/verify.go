package transparency

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/flock"
)

// Report is what Verify found.
type Report struct {
	evidence.Report
	// Pruned are the tombstones of what was removed, oldest first. Begun is
	// that of an interrupted removal, nil if there is none.
	Pruned []*Tombstone
	Begun  *Tombstone
}

// Gone is how many records were removed.
func (r *Report) Gone() (n uint64) {
	for _, t := range r.Pruned {
		n += t.Records
	}
	return n
}

// Newest is the time of the newest record that was removed, zero if none was.
func (r *Report) Newest() (newest time.Time) {
	for _, t := range append(slices.Clone(r.Pruned), r.Begun) {
		if t != nil && t.Newest.After(newest) {
			newest = t.Newest
		}
	}
	return newest
}

// Verify is evidence.Verify for a log that may have been pruned: each missing
// record at the beginning must be covered by a tombstone that was signed with
// one of these keys, given by their ids.
func Verify(dir string, keys []string) (r Report, err error) {
	err = still(dir, func() error {
		r, err = verify(dir, keys)
		return err
	})
	return r, err
}

// still calls do while nobody prunes, so that the tombstones match the log.
func still(dir string, do func() error) error {
	held, err := flock.Reader(filepath.Join(dir, pruneLock))
	if err != nil {
		return err
	}
	if held != nil {
		defer held.Unlock()
	}
	return do()
}

// verify is Verify while nobody prunes.
func verify(dir string, keys []string) (Report, error) {
	var r Report
	p, err := readPast(dir, keys)
	if errors.As(err, &r.Broken) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	r.Report, err = evidence.VerifyAfter(dir, p.before())
	r.Pruned, r.Begun = p.stones, p.begun
	return r, err
}

// Through is the number of the last record of a log that was removed with a
// tombstone, zero if none was. It does not verify the tombstone.
func Through(dir string) uint64 {
	first, err := evidence.First(dir)
	if err != nil || first == 0 {
		return 0
	}
	paths, err := filepath.Glob(filepath.Join(dir, tombstonePrefix+"*"+tombstoneSuffix))
	if err != nil || len(paths) == 0 {
		return 0
	}
	name := filepath.Base(slices.Max(paths)) // the numbers have leading zeros
	last, _ := strconv.ParseUint(strings.TrimSuffix(strings.TrimPrefix(name, tombstonePrefix), tombstoneSuffix), 10, 64)
	return min(last, first-1)
}
