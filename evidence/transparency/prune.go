package transparency

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	json "github.com/go-json-experiment/json"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/flock"
)

// pruneLock is held while records are removed.
const pruneLock = "prune.lock"

// Pruning removes the oldest records of a log and leaves a tombstone.
type Pruning struct {
	Dir      string
	Before   time.Time // a file is removed if all of its records are older
	Verifier string    // the key of the log's checkpoints, "" if it has none
	Keys     []string  // the ids of keys that tombstones may be signed with

	// Record writes the tombstone to the log itself, unless it is there
	// already: it may be called again. If it fails, nothing is removed.
	Record func(ctx context.Context, t *Tombstone) error
	// step is called before each step that changes something; tests stop there.
	step func(name string)
}

// ErrNothing is returned if no file is old enough.
var ErrNothing = errors.New("nothing is old enough")

// ErrChanged is returned if the log has changed since the plan was made.
var ErrChanged = errors.New("the log has changed since this was shown; nothing was removed")

// Plan finds what would be removed, and writes nothing. The tombstone is not
// signed. It refuses a log that is broken, or that contradicts a checkpoint:
// pruning would hide that.
func (p *Pruning) Plan() (t *Tombstone, err error) {
	err = still(p.Dir, func() error {
		t, err = p.plan()
		return err
	})
	return t, err
}

// plan is Plan while nobody else prunes.
func (p *Pruning) plan() (*Tombstone, error) {
	report, err := verify(p.Dir, p.Keys)
	if err != nil {
		return nil, err
	}
	if report.Broken != nil {
		return nil, fmt.Errorf("the log is broken and will not be pruned: %w", report.Broken)
	}
	gone, err := readPast(p.Dir, p.Keys)
	if err != nil {
		return nil, err
	}
	if gone.begun != nil {
		return nil, fmt.Errorf("the removal of %s is not finished; run trammel evidence prune again", gone.begun)
	}
	s := survey{rest: &tree{}, before: p.Before}
	if s.whole, err = newTree(gone.start); err != nil {
		return nil, err
	}
	if err := evidence.Scan(p.Dir, s.entry); err != nil {
		return nil, err
	}
	s.close()
	if len(s.stone.Files) == 0 {
		return nil, ErrNothing
	}
	var points []Checkpoint
	if p.Verifier != "" {
		if points, err = check(p.Dir, p.Verifier, s.whole, gone); err != nil {
			return nil, fmt.Errorf("the log will not be pruned: %w", err)
		}
	}
	return s.tombstone(points)
}

// survey reads a log and collects the files that are old enough.
type survey struct {
	before time.Time
	whole  *tree // over all records, including removed ones
	rest   *tree // over the records that are left
	stone  Tombstone
	file   Tombstone // the file that is being read
	name   string
	young  bool // a file was not old enough, so later ones are skipped
}

func (s *survey) entry(e evidence.Entry) error {
	if name := evidence.Closed(e.Segment, e.Seq); e.Number == 1 {
		s.close()
		s.file, s.name = Tombstone{First: e.Seq, Prev: e.Prev, FirstHash: e.Hash}, name
	}
	row, err := e.Row()
	if err != nil {
		return err
	}
	f := &s.file
	f.Last, f.LastHash = e.Seq, e.Hash
	f.Records++
	f.Bytes += int64(len(e.Line)) + 1
	if f.Oldest.IsZero() || row.Time.Before(f.Oldest) {
		f.Oldest = row.Time
	}
	if row.Time.After(f.Newest) {
		f.Newest = row.Time
	}
	if row.Time.IsZero() || !row.Time.Before(s.before) { // a record without a time is never old
		s.young = true
	}
	if err := s.whole.add(e.Line); err != nil {
		return err
	}
	return s.rest.add(e.Line)
}

// close adds the file that was read, if all of it is old.
func (s *survey) close() {
	f, all := &s.file, &s.stone
	if s.young || f.Records == 0 {
		return
	}
	if all.Records == 0 {
		all.First, all.Prev, all.FirstHash, all.Oldest = f.First, f.Prev, f.FirstHash, f.Oldest
	}
	all.Last, all.LastHash = f.Last, f.LastHash
	all.Records += f.Records
	all.Bytes += f.Bytes
	if f.Oldest.Before(all.Oldest) {
		all.Oldest = f.Oldest
	}
	if f.Newest.After(all.Newest) {
		all.Newest = f.Newest
	}
	all.Files = append(all.Files, Removed{Name: s.name, Last: f.Last, Hash: f.LastHash})
	s.file = Tombstone{}
}

// tombstone adds the roots of the trees.
func (s *survey) tombstone(points []Checkpoint) (*Tombstone, error) {
	t := &s.stone
	root, err := s.rest.root(int64(t.Records))
	if err != nil {
		return nil, err
	}
	t.Root = root.String()
	for i := range t.Files {
		peaks, err := s.whole.ReadHashes(peakIndexes(int64(t.Files[i].Last)))
		if err != nil {
			return nil, err
		}
		t.Files[i].Peaks = texts(peaks)
	}
	for _, c := range points {
		if c.Size < int64(t.First) || c.Size >= int64(t.Last) {
			continue
		}
		hashes, err := tlog.ProveTree(int64(t.Last), c.Size, s.whole)
		if err != nil {
			return nil, err
		}
		t.Checkpoints = append(t.Checkpoints, Covered{c.Size, c.Root.String(), texts(hashes)})
	}
	return t, nil
}

// Prune removes what was planned, and leaves the signed tombstone. If it is
// interrupted, each record is still there or covered by the tombstone, and the
// next Finish continues.
func (p *Pruning) Prune(ctx context.Context, planned *Tombstone, key approvals.PrivateKey) (*Tombstone, error) {
	held, err := flock.Lock(ctx, filepath.Join(p.Dir, pruneLock))
	if err != nil {
		return nil, err
	}
	defer held.Unlock()
	p.at("close")
	if err := p.Close(ctx); err != nil {
		return nil, err
	}
	t, err := p.plan()
	switch {
	case errors.Is(err, ErrNothing):
		return nil, ErrChanged
	case err != nil:
		return nil, err
	case t.Last != planned.Last || t.LastHash != planned.LastHash || t.First != planned.First || t.Root != planned.Root:
		return nil, ErrChanged
	}
	t.At, t.By, t.Reason = planned.At, planned.By, planned.Reason
	if err := t.sign(key); err != nil {
		return nil, err
	}
	data, err := json.Marshal(t, json.Deterministic(true))
	if err == nil {
		_, err = parseTombstone(data, p.Keys) // do not leave anything that Verify would refuse
	}
	if err != nil {
		return nil, err
	}
	p.at("begin")
	path := filepath.Join(p.Dir, beginning)
	if err := files.Replace(path, data); err != nil {
		return nil, err
	}
	p.at("record")
	if err := p.Record(ctx, t); err != nil {
		return nil, errors.Join(fmt.Errorf("nothing was removed: %w", err), os.Remove(path)) // never remove without a trace
	}
	return t, p.remove(ctx, t)
}

// Close closes the current file, so that it can be removed when all of it is
// old.
func (p *Pruning) Close(ctx context.Context) error {
	return p.log().Close(ctx)
}

func (p *Pruning) log() *evidence.Log { return evidence.Open(p.Dir, evidence.Options{Fsync: true}) }

// remove removes what a tombstone covers. Readers see the log as it was before,
// or after.
func (p *Pruning) remove(ctx context.Context, t *Tombstone) error {
	return p.log().Hold(ctx, func() error { return p.removeAll(t) })
}

func (p *Pruning) removeAll(t *Tombstone) error {
	last, err := evidence.Last(p.Dir)
	if err != nil {
		return err
	}
	if last.Seq <= t.Last { // a log without any record would start again
		return fmt.Errorf("there is no record after %d", t.Last)
	}
	for i := range t.Files {
		p.at("remove " + t.Files[i].Name)
		if err := evidence.RemoveSegment(p.Dir, t.Files[i].Name, t.Files[i].end()); err != nil {
			return fmt.Errorf("the removal of %s is not finished: %w", t, err)
		}
	}
	p.at("end")
	return os.Rename(filepath.Join(p.Dir, beginning), filepath.Join(p.Dir, tombstoneName(t.Last)))
}

// Finish completes an interrupted removal. It returns nil if there is none. The
// tombstone is already signed, so no new signature is needed.
func (p *Pruning) Finish(ctx context.Context) (*Tombstone, error) {
	held, err := flock.Lock(ctx, filepath.Join(p.Dir, pruneLock))
	if err != nil {
		return nil, err
	}
	defer held.Unlock()
	report, err := verify(p.Dir, p.Keys)
	switch {
	case err != nil:
		return nil, err
	case report.Broken != nil:
		return nil, fmt.Errorf("the log is broken and will not be pruned: %w", report.Broken)
	case report.Begun == nil:
		return nil, nil
	}
	if err := p.Record(ctx, report.Begun); err != nil { // it may have been interrupted before this
		return nil, err
	}
	return report.Begun, p.remove(ctx, report.Begun)
}

func (p *Pruning) at(name string) {
	if p.step != nil {
		p.step(name)
	}
}
