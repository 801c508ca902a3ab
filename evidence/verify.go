package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// Fault says in which way a log is broken.
type Fault string

// The faults that Verify tells apart.
const (
	NotARecord     Fault = "not_a_record"    // the line does not have the shape of one
	NotCanonical   Fault = "not_canonical"   // the body is not in canonical JSON
	HashMismatch   Fault = "hash_mismatch"   // the record is not what its hash says
	PrevMismatch   Fault = "prev_mismatch"   // the record does not follow the one before it
	SeqGap         Fault = "seq_gap"         // records are missing before this one
	Duplicate      Fault = "duplicate"       // the record's number has been there already
	MissingSegment Fault = "missing_segment" // a whole file of records is missing before this one
	HeadMismatch   Fault = "head_mismatch"   // the log does not end with the record that was written last
	TornTail       Fault = "torn_tail"       // the log ends within a record; the next append will put it aside
	BadTombstone   Fault = "bad_tombstone"   // what is said about records that were pruned does not hold
)

// Broken names the first record that is not as it must be.
type Broken struct {
	Seq    uint64 `json:"seq"` // the record that is expected there
	File   string `json:"file"`
	Line   int    `json:"line"`
	Fault  Fault  `json:"fault"`
	Detail string `json:"detail"`
}

func (b *Broken) Error() string {
	return fmt.Sprintf("record %d (%s:%d): %s: %s", b.Seq, b.File, b.Line, b.Fault, b.Detail)
}

// Report is what Verify found.
type Report struct {
	Records  uint64 // how many are sound, from the first on
	Last     uint64 // the number of the last of them; without any, of the one that the log goes on from
	Bytes    int64  // how many bytes they take
	Segments int    // how many files were read
	Head     string // the hash of the last sound record
	Torn     int    // how many half-written records have been put aside
	Broken   *Broken

	prev string // of the last sound record
}

// Verify reads the whole log and checks that each line is the canonical form
// of itself, is what its hash says and follows the line before it. It stops at
// the first that does not and names it in the report; an error means that the
// log could not be read. A log whose first records were pruned lacks them here;
// transparency.Verify knows about those.
func Verify(dir string) (Report, error) { return VerifyAfter(dir, Receipt{}) }

// VerifyAfter is Verify for a log that goes on behind this record, which is
// itself not there any more.
func VerifyAfter(dir string, before Receipt) (Report, error) {
	snap, err := takeSnapshot(dir)
	if err != nil {
		return Report{}, err
	}
	defer snap.close()
	report, err := verify(snap.chunks, before)
	if err == nil && report.Broken == nil && snap.known {
		if what := snap.head.differs(Receipt{Seq: report.Last, Hash: report.Head, Prev: report.prev}); what != "" {
			report.Broken = &Broken{Seq: report.Last + 1, File: lockName, Line: 1, Fault: HeadMismatch, Detail: what}
		}
	}
	report.Segments = len(snap.files)
	if torn, err := os.ReadDir(filepath.Join(dir, tornName)); err == nil {
		report.Torn = len(torn)
	}
	return report, err
}

func verify(all chunks, before Receipt) (Report, error) {
	v := verifier{last: before}
	err := parallel(all, examine, v.chunk)
	if errors.As(err, &v.report.Broken) {
		err = nil
	}
	v.report.Last, v.report.Head, v.report.prev = v.last.Seq, v.last.Hash, v.last.Prev
	return v.report, err
}

type verifier struct {
	report Report
	last   Receipt
	buf    []byte
}

// chunk takes a stretch of the log that was found sound and follows what was
// before it. Any other is looked at line by line, to say what is wrong where.
func (v *verifier) chunk(c *chunk, s stretch) error {
	if !s.sound || s.first != v.last.Seq+1 || s.prev != v.last.following() {
		return c.lines(v.line)
	}
	v.last = Receipt{Seq: s.first + s.records - 1, Hash: string(s.hash[:]), Prev: string(s.last[:])}
	v.report.Records += s.records
	v.report.Bytes += int64(len(c.data))
	return nil
}

func (v *verifier) line(l rawLine) error {
	broken := func(fault Fault, format string, args ...any) error {
		return &Broken{Seq: v.last.Seq + 1, File: l.file, Line: l.number, Fault: fault, Detail: fmt.Sprintf(format, args...)}
	}
	if !l.ended {
		return broken(TornTail, "the file ends after %d bytes of the record", len(l.data))
	}
	r, body, ok := parseLine(l.data)
	if !ok {
		return broken(NotARecord, "the line does not have the shape of a record")
	}
	value, err := decode(body)
	if err != nil {
		return broken(NotCanonical, "%v", err)
	}
	if v.buf, err = canonical.Append(v.buf[:0], value); err != nil || !bytes.Equal(v.buf, body) {
		return broken(NotCanonical, "the body is not in canonical form")
	}
	if sum := r.sum(body); sum != r.Hash {
		return broken(HashMismatch, "the hash is %s, but the record says %s", sum, r.Hash)
	}
	want := v.last.following()
	switch {
	case r.Seq > v.last.Seq+1 && l.number == 1:
		return broken(MissingSegment, "the file begins with record %d", r.Seq)
	case r.Seq > v.last.Seq+1:
		return broken(SeqGap, "found record %d", r.Seq)
	case r.Seq <= v.last.Seq:
		return broken(Duplicate, "found record %d", r.Seq)
	case r.Prev != want:
		return broken(PrevMismatch, "it follows %s, but the record before it is %s", r.Prev, want)
	}
	v.last = r
	v.report.Records++
	v.report.Bytes += int64(len(l.data)) + 1
	return nil
}

// ParseLine reads the place of a record from its line alone, and checks that
// the line is what its hash says.
func ParseLine(line []byte) (Receipt, error) {
	r, body, ok := parseLine(line)
	if !ok {
		return r, errors.New("the line does not have the shape of a record")
	}
	if r.sum(body) != r.Hash {
		return r, errors.New("the record is not what its hash says")
	}
	return r, nil
}
