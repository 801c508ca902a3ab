package transparency

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/trammel-dev/trammel/evidence"
)

// tree is the Merkle tree over the lines of a log, each without its end.
type tree struct {
	size   int64
	hashes []tlog.Hash // as tlog stores them
}

// readTree builds the tree of the log in dir. each, if set, sees every entry.
func readTree(dir string, each func(evidence.Entry)) (*tree, error) {
	t := &tree{}
	err := evidence.Scan(dir, func(e evidence.Entry) error {
		add, err := tlog.StoredHashes(t.size, e.Line, t)
		if err != nil {
			return err
		}
		t.hashes = append(t.hashes, add...)
		t.size++
		if each != nil {
			each(e)
		}
		return nil
	})
	return t, err
}

// ReadHashes implements tlog.HashReader.
func (t *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		if x < 0 || x >= int64(len(t.hashes)) {
			return nil, fmt.Errorf("the log has no hash %d", x)
		}
		out[i] = t.hashes[x]
	}
	return out, nil
}

// root is the root hash of the first n records.
func (t *tree) root(n int64) (tlog.Hash, error) {
	if n > t.size {
		return tlog.Hash{}, fmt.Errorf("the log has %d records, expected %d at least: its end was cut off", t.size, n)
	}
	return tlog.TreeHash(n, t)
}
