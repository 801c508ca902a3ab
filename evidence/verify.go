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

// The faults that Verify distinguishes.
const (
	NotARecord     Fault = "not_a_record"    // the line does not have the shape of one
	NotCanonical   Fault = "not_canonical"   // the body is not in canonical JSON
	HashMismatch   Fault = "hash_mismatch"   // the record does not match its hash
	PrevMismatch   Fault = "prev_mismatch"   // the record does not follow the one before it
	SeqGap         Fault = "seq_gap"         // records are missing before this one
	Duplicate      Fault = "duplicate"       // a record with this number came before
	MissingSegment Fault = "missing_segment" // a whole file of records is missing before this one
	HeadMismatch   Fault = "head_mismatch"   // the log does not end with the record that was written last
	TornTail       Fault = "torn_tail"       // the log ends within a record; the next append will move it to torn/
	BadTombstone   Fault = "bad_tombstone"   // the tombstone of pruned records is not valid
)

// Broken describes the first fault of a log.
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
	Last     uint64 // the number of the last of them; if there are none, of the record that the log continues after
	Bytes    int64  // how many bytes they take
	Segments int    // how many files were read
	Head     string // the hash of the last sound record
	Torn     int    // how many half-written records are in torn/
	Broken   *Broken

	prev string // of the last sound record
}

// Verify reads the whole log and checks that each line is in canonical form,
// matches its hash and follows the line before it. It stops at the first that
// does not and describes it in the report; an error means that the log could
// not be read. For a log whose first records were pruned use
// transparency.Verify.
func Verify(dir string) (Report, error) { return VerifyAfter(dir, Receipt{}) }

// VerifyAfter is Verify for a log that continues after this record, which was
// removed.
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
	gaps   bool // a record may follow the one before it and not have the next number
}

// chunk accepts a sound stretch of the log that follows the one before it. It
// checks any other line by line, to find out what is wrong where.
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
	gap := r.Seq > v.last.Seq+1 && !(v.gaps && r.Prev == want && v.last.Seq > 0)
	switch {
	case gap && l.number == 1:
		return broken(MissingSegment, "the file begins with record %d", r.Seq)
	case gap:
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

// ParseLine reads the position of a record from its line alone, and checks that
// the line matches its hash.
func ParseLine(line []byte) (Receipt, error) {
	r, body, ok := parseLine(line)
	if !ok {
		return r, errors.New("the line does not have the shape of a record")
	}
	if r.sum(body) != r.Hash {
		return r, errors.New("the record does not match its hash")
	}
	return r, nil
}
