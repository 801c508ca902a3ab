package transparency

import (
	"errors"
	"fmt"
	"io"

	"github.com/trammel-dev/trammel/evidence"
)

// Exported is what VerifyExport found.
type Exported struct {
	evidence.Exported
	Checkpoints []Checkpoint // that agree with the records
}

// Signed is the number of the last record that a checkpoint covers, 0 if none does.
func (x *Exported) Signed() (last uint64) {
	for _, c := range x.Checkpoints {
		last = max(last, uint64(c.Size))
	}
	return last
}

// VerifyExport checks an export without its log: the records, and that they are
// those that the checkpoints in these directories signed. A checkpoint is about
// all records from the first one, so it says nothing about an export that lacks
// some of them; that is an error, as is a directory without any checkpoint.
func VerifyExport(lines io.Reader, name, verifierKey string, copies ...string) (Exported, error) {
	var x Exported
	var t tree
	var err error
	if x.Exported, err = evidence.VerifyExport(lines, name, t.add); err != nil || x.Broken != nil || len(copies) == 0 {
		return x, err
	}
	var points []Checkpoint
	for _, dir := range copies {
		list, err := stored(dir, verifierKey)
		if err != nil {
			return x, err
		}
		if len(list) == 0 {
			return x, fmt.Errorf("%s has no checkpoint; trammel evidence checkpoint --copy DIR writes one", dir)
		}
		points = append(points, list...)
	}
	if !x.Complete() {
		return x, errors.New("a checkpoint is about all records from the first one, and some are missing here: export without a filter, " +
			"or prove single records with: trammel evidence prove NUMBER")
	}
	if err := reproduce(&t, &past{}, points); err != nil {
		return x, err
	}
	x.Checkpoints = points
	return x, nil
}
