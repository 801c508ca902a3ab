package transparency

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/trammel-dev/trammel/evidence"
)

// tree is the Merkle tree over the lines of a log, without line endings. For a
// pruned log, the tombstone has the hashes from which later ones are computed.
type tree struct {
	size   int64
	base   int64               // the index of the first hash in hashes
	peaks  map[int64]tlog.Hash // those before it that are known
	hashes []tlog.Hash         // as tlog stores them
}

// newTree is the tree over the records that were removed; nil means none.
func newTree(r *Removed) (*tree, error) {
	t := &tree{}
	if r == nil {
		return t, nil
	}
	t.size = int64(r.Last)
	t.base = tlog.StoredHashCount(t.size)
	t.peaks = map[int64]tlog.Hash{}
	list, err := parseHashes(r.Peaks)
	for i, index := range peakIndexes(t.size) {
		if err == nil {
			t.peaks[index] = list[i]
		}
	}
	return t, err
}

// peakIndexes are the positions of the hashes that make up the root of a tree.
func peakIndexes(size int64) (out []int64) {
	for level, from := 62, int64(0); level >= 0; level-- {
		if size&(1<<level) != 0 {
			out = append(out, tlog.StoredHashIndex(level, from>>level))
			from += 1 << level
		}
	}
	return out
}

// add adds a line.
func (t *tree) add(line []byte) error {
	add, err := tlog.StoredHashes(t.size, line, t)
	t.hashes = append(t.hashes, add...)
	t.size++
	return err
}

// readTree reads the tombstones and builds the tree of the log in dir. each, if
// set, is called for every entry.
func readTree(dir string, keys []string, each func(evidence.Entry)) (t *tree, gone *past, err error) {
	err = still(dir, func() error {
		if gone, err = readPast(dir, keys); err != nil {
			return err
		}
		if t, err = newTree(gone.start); err != nil {
			return err
		}
		return evidence.Scan(dir, func(e evidence.Entry) error {
			if each != nil {
				each(e)
			}
			return t.add(e.Line)
		})
	})
	return t, gone, err
}

// ReadHashes implements tlog.HashReader.
func (t *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		known := false
		if at := x - t.base; at >= 0 && at < int64(len(t.hashes)) {
			out[i], known = t.hashes[at], true
		} else if at < 0 {
			out[i], known = t.peaks[x]
		}
		if !known {
			return nil, fmt.Errorf("the log has no hash %d", x)
		}
	}
	return out, nil
}

// root is the root hash of the first n records.
func (t *tree) root(n int64) (tlog.Hash, error) {
	if n > t.size {
		return tlog.Hash{}, fmt.Errorf("the log has %d records, expected at least %d: its end was cut off", t.size, n)
	}
	return tlog.TreeHash(n, t)
}
