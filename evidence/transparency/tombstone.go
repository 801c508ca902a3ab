package transparency

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	json "github.com/go-json-experiment/json"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/files"
)

// Tombstone replaces records that a person has removed from the beginning of a
// log. It is signed with the key that the authority secret unlocks.
type Tombstone struct {
	First     uint64    `json:"first"` // the numbers of the first and the last record
	Last      uint64    `json:"last"`
	Records   uint64    `json:"records"`
	Bytes     int64     `json:"bytes"`
	Oldest    time.Time `json:"oldest"`
	Newest    time.Time `json:"newest"`
	Prev      string    `json:"prev"` // what the first record follows
	FirstHash string    `json:"first_hash"`
	LastHash  string    `json:"last_hash"`
	// Root is the root of the Merkle tree over the records that were removed,
	// and only over them.
	Root string `json:"root"`
	// Files are the segments that were removed, oldest first.
	Files []Removed `json:"files"`
	// Checkpoints are those that ended within the removed records, each with
	// the proof that it matches these records.
	Checkpoints []Covered `json:"checkpoints,omitempty"`

	At     time.Time `json:"at"`
	By     string    `json:"by"`
	Reason string    `json:"reason"`
	Public []byte    `json:"public"`          // the key that signs
	Proof  []byte    `json:"proof,omitempty"` // its signature over all of the above
}

// Removed is a segment that was removed, and what is needed to continue after it.
type Removed struct {
	Name string `json:"name"`
	Last uint64 `json:"last"`
	Hash string `json:"hash"` // of the last record
	// Peaks are the hashes of the tree over all records up to the last one, from
	// which later roots are computed.
	Peaks []string `json:"peaks"`
}

// Covered is a checkpoint that ended within the removed records.
type Covered struct {
	Size   int64    `json:"size"`
	Root   string   `json:"root"`
	Hashes []string `json:"hashes"`
}

const (
	tombstonePrefix = "tombstone-"
	tombstoneSuffix = ".json"
	// beginning is the file of the tombstone while records are being removed.
	// It is renamed when all of them are gone.
	beginning = "pruning.json"
	// maxTombstone is the maximum size of a tombstone.
	maxTombstone = 16 << 20
)

func tombstoneName(last uint64) string {
	return fmt.Sprintf("%s%012d%s", tombstonePrefix, last, tombstoneSuffix)
}

// KeyID is the id of the key that signed.
func (t *Tombstone) KeyID() string { return approvals.KeyID(t.Public) }

func (t *Tombstone) String() string {
	return fmt.Sprintf("records %d to %d, of %s to %s", t.First, t.Last, t.Oldest.UTC().Format(time.DateOnly),
		t.Newest.UTC().Format(time.DateOnly))
}

func (t *Tombstone) end() evidence.Receipt { return evidence.Receipt{Seq: t.Last, Hash: t.LastHash} }

func (r *Removed) end() evidence.Receipt { return evidence.Receipt{Seq: r.Last, Hash: r.Hash} }

// statement is what the signature covers.
func (t *Tombstone) statement() ([]byte, error) {
	unsigned := *t
	unsigned.Proof = nil
	data, err := json.Marshal(&unsigned, json.Deterministic(true))
	return append([]byte("trammel-tombstone-v1\n"), data...), err
}

func (t *Tombstone) sign(key approvals.PrivateKey) error {
	t.Public = ed25519.PrivateKey(key).Public().(ed25519.PublicKey)
	text, err := t.statement()
	if err != nil {
		return err
	}
	t.Proof, err = key.Sign(text)
	return err
}

// parseTombstone reads a tombstone that was signed with one of the keys. There
// is only one valid form.
func parseTombstone(data []byte, keys []string) (*Tombstone, error) {
	t := &Tombstone{}
	if err := json.Unmarshal(data, t, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", err)
	}
	text, err := t.statement()
	if err != nil {
		return nil, err
	}
	if len(t.Public) != ed25519.PublicKeySize || !ed25519.Verify(t.Public, text, t.Proof) {
		return nil, errors.New("its signature is not valid: it was changed")
	}
	if !slices.Contains(keys, t.KeyID()) {
		return nil, fmt.Errorf("it is signed with %s, which is not the authority key of this machine", t.KeyID())
	}
	if again, err := json.Marshal(t, json.Deterministic(true)); err != nil || !bytes.Equal(again, data) {
		return nil, errors.New("it is not in canonical form: it was changed")
	}
	return t, t.consistent()
}

// consistent checks that a tombstone does not contradict itself.
func (t *Tombstone) consistent() error {
	if t.First == 0 || t.Last < t.First || t.Records != t.Last-t.First+1 || len(t.Files) == 0 {
		return fmt.Errorf("it is about %d records in %d files, from %d to %d", t.Records, len(t.Files), t.First, t.Last)
	}
	for before, i := t.First-1, 0; i < len(t.Files); i++ {
		f := &t.Files[i]
		if f.Last <= before || len(f.Peaks) != len(peakIndexes(int64(f.Last))) {
			return fmt.Errorf("its file %s does not follow the one before it", f.Name)
		}
		before = f.Last
	}
	if last := t.Files[len(t.Files)-1]; last.Last != t.Last || last.Hash != t.LastHash {
		return fmt.Errorf("its last file ends with record %d, but it ends with %d", last.Last, t.Last)
	}
	return nil
}

// past is the removed part of a log.
type past struct {
	stones []*Tombstone // of what was removed, oldest first
	begun  *Tombstone   // of what is being removed; nil if nothing is
	start  *Removed     // what the log continues after; nil for a log that has its first record
}

// readPast reads the tombstones in dir. For an invalid one the error is a *Broken.
func readPast(dir string, keys []string) (*past, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	p := &past{}
	var last evidence.Receipt
	for _, e := range entries { // sorted: the numbers have leading zeros
		if !strings.HasPrefix(e.Name(), tombstonePrefix) || !strings.HasSuffix(e.Name(), tombstoneSuffix) {
			continue
		}
		t, err := readTombstone(dir, e.Name(), keys, last)
		if err == nil && tombstoneName(t.Last) != e.Name() {
			err = broken(e.Name(), last, fmt.Errorf("it covers %s, but its name says otherwise", t))
		}
		if err != nil {
			return nil, err
		}
		p.stones, last, p.start = append(p.stones, t), t.end(), &t.Files[len(t.Files)-1]
	}
	if _, err := os.Lstat(filepath.Join(dir, beginning)); err == nil {
		if p.begun, err = readTombstone(dir, beginning, keys, last); err != nil {
			return nil, err
		}
	}
	return p, p.locate(dir)
}

// readTombstone reads one that must continue after a record.
func readTombstone(dir, name string, keys []string, last evidence.Receipt) (*Tombstone, error) {
	data, err := files.ReadInside(dir, name, maxTombstone)
	if err != nil {
		return nil, err
	}
	t, err := parseTombstone(data, keys)
	switch {
	case err != nil:
	case t.First <= last.Seq:
		err = fmt.Errorf("it is about %s, but another tombstone covers those up to %d", t, last.Seq)
	case t.First != last.Seq+1 || last.Seq > 0 && t.Prev != last.Hash:
		err = fmt.Errorf("it is about %s, but no tombstone covers those before them", t)
	}
	if err != nil {
		return nil, broken(name, last, err)
	}
	return t, nil
}

func broken(file string, last evidence.Receipt, why error) error {
	return &evidence.Broken{Seq: last.Seq + 1, File: file, Line: 1, Fault: evidence.BadTombstone, Detail: why.Error()}
}

// locate finds where the log continues, and checks that it lacks what the
// tombstones cover.
func (p *past) locate(dir string) error {
	first, err := evidence.First(dir)
	if err != nil {
		return nil // Verify will name what is wrong with it
	}
	if n := len(p.stones); n > 0 && first > 0 && first <= p.stones[n-1].Last {
		t := p.stones[n-1]
		return broken(tombstoneName(t.Last), evidence.Receipt{}, fmt.Errorf(
			"it says that %s were removed, but the log begins with record %d", t, first))
	}
	if p.begun == nil {
		return nil
	}
	for i := range p.begun.Files {
		f := &p.begun.Files[i]
		switch there, err := evidence.HasSegment(dir, f.Name, f.end()); {
		case err != nil:
			return broken(beginning, evidence.Receipt{}, err)
		case there || first != 0 && first <= f.Last: // or it is still the current file
			return nil
		}
		p.start = f
	}
	return nil
}

// before is the record that the log continues after.
func (p *past) before() evidence.Receipt {
	if p.start == nil {
		return evidence.Receipt{}
	}
	return p.start.end()
}

// covers checks a checkpoint of records that were removed.
func (p *past) covers(c *Checkpoint) error {
	for _, t := range append(slices.Clone(p.stones), p.begun) {
		if t == nil || c.Size < int64(t.First) || c.Size > int64(t.Last) {
			continue
		}
		whole, err := newTree(&t.Files[len(t.Files)-1])
		if err != nil {
			return err
		}
		root, err := whole.root(whole.size)
		if err != nil || whole.size == c.Size && root == c.Root {
			return err
		}
		for _, known := range t.Checkpoints {
			if known.Size != c.Size {
				continue
			}
			hashes, err := parseHashes(known.Hashes)
			if err != nil {
				return err
			}
			if err := tlog.CheckTree(hashes, whole.size, root, c.Size, c.Root); err != nil {
				return fmt.Errorf("the records that were pruned did not begin with those that were signed: %w", err)
			}
			return nil
		}
		return errors.New("its records were pruned, but no tombstone covers it")
	}
	return errors.New("its records are gone")
}
