package evidence

import (
	"errors"
	"io"
)

// Exported is what VerifyExport found.
type Exported struct {
	Records uint64 // how many are sound, from the first line on
	First   uint64 // the number of the first of them
	Last    uint64 // the number of the last
	Head    string // the hash of the last
	Missing []Span // between the first and the last
	Broken  *Broken
}

// Span is some records in a row.
type Span struct {
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
}

// Complete reports whether no record is missing from the first of the log to
// the last of the export.
func (x *Exported) Complete() bool { return x.Records > 0 && x.First == 1 && len(x.Missing) == 0 }

// VerifyExport checks the lines that Export has written as "jsonl", without the
// log: each must match its hash, come after the one before it and, if none is
// missing between them, follow it in the chain. Records may be missing, since an export
// can be filtered. each is called for every sound line, in order.
func VerifyExport(r io.Reader, name string, each func(line []byte) error) (Exported, error) {
	var x Exported
	var v verifier
	err := eachLine(r, name, func(l rawLine) error {
		if at, _, ok := parseLine(l.data); ok && at.Seq > v.last.Seq+1 {
			if x.Records > 0 {
				x.Missing = append(x.Missing, Span{v.last.Seq + 1, at.Seq - 1})
			}
			v.last = Receipt{Seq: at.Seq - 1, Hash: at.Prev}
		}
		if err := v.line(l); err != nil {
			return err
		}
		if x.Records++; x.Records == 1 {
			x.First = v.last.Seq
		}
		x.Last, x.Head = v.last.Seq, v.last.Hash
		return each(l.data)
	})
	if errors.As(err, &x.Broken) {
		err = nil
	}
	return x, err
}
