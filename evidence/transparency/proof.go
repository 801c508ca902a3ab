package transparency

import (
	"errors"
	"fmt"

	json "github.com/go-json-experiment/json"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/trammel-dev/trammel/evidence"
)

// Proof is what shows, without the log, that a record was in it (inclusion) or
// that a later log begins with an earlier one (consistency).
type Proof struct {
	Kind string `json:"kind"` // inclusion, consistency
	// Checkpoint is the signed note that the proof leads to, Earlier the one
	// that a proof of consistency begins with.
	Checkpoint string   `json:"checkpoint"`
	Earlier    string   `json:"earlier,omitzero"`
	Seq        uint64   `json:"seq,omitzero"`
	Record     string   `json:"record,omitzero"` // the record's whole line
	Hashes     []string `json:"hashes"`
}

const (
	inclusion   = "inclusion"
	consistency = "consistency"
)

// ProveInclusion proves that a record is in the log of the oldest checkpoint
// after it.
func ProveInclusion(dir string, seq uint64, verifierKey string, keys []string) ([]byte, error) {
	p := Proof{Kind: inclusion, Seq: seq}
	t, gone, err := readTree(dir, keys, func(e evidence.Entry) {
		if e.Seq == seq {
			p.Record = string(e.Line)
		}
	})
	if err != nil {
		return nil, err
	}
	if seq <= gone.before().Seq {
		return nil, fmt.Errorf("record %d was pruned: only a copy of it can be proven, with trammel evidence verify --removed", seq)
	}
	if p.Record == "" {
		return nil, fmt.Errorf("there is no record %d: the log has %d", seq, t.size)
	}
	list, err := check(dir, verifierKey, t, gone)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		if c.Size >= int64(seq) {
			p.Checkpoint = string(c.Note)
			hashes, err := tlog.ProveRecord(c.Size, int64(seq)-1, t)
			return p.encode(hashes, err)
		}
	}
	return nil, fmt.Errorf("no checkpoint covers record %d; make one first", seq)
}

// ProveConsistency proves that the log of one checkpoint begins with the log of
// an earlier one.
func ProveConsistency(dir string, oldSize, newSize int64, verifierKey string, keys []string) ([]byte, error) {
	t, gone, err := readTree(dir, keys, nil)
	if err != nil {
		return nil, err
	}
	list, err := check(dir, verifierKey, t, gone)
	if err != nil {
		return nil, err
	}
	p := Proof{Kind: consistency}
	for _, c := range list {
		if c.Size == oldSize {
			p.Earlier = string(c.Note)
		}
		if c.Size == newSize {
			p.Checkpoint = string(c.Note)
		}
	}
	if p.Earlier == "" || p.Checkpoint == "" || oldSize > newSize {
		return nil, fmt.Errorf("there are no two checkpoints of %d and then %d records", oldSize, newSize)
	}
	if oldSize < int64(gone.before().Seq) {
		return nil, fmt.Errorf("the checkpoint of %d records is within the pruned part", oldSize)
	}
	hashes, err := tlog.ProveTree(newSize, oldSize, t)
	return p.encode(hashes, err)
}

func (p *Proof) encode(hashes []tlog.Hash, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	p.Hashes = texts(hashes)
	return json.Marshal(p)
}

// parseHashes reads hashes in their only valid form.
func parseHashes(list []string) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(list))
	for i, s := range list {
		h, err := tlog.ParseHash(s)
		if err != nil || h.String() != s {
			return nil, fmt.Errorf("%q is not a hash", s)
		}
		out[i] = h
	}
	return out, nil
}

func texts(hashes []tlog.Hash) []string {
	out := make([]string, len(hashes))
	for i, h := range hashes {
		out[i] = h.String()
	}
	return out
}

// CheckProof checks a proof with the public key alone. It needs no log.
func CheckProof(data []byte, verifierKey string) error {
	var p Proof
	if err := json.Unmarshal(data, &p, json.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("read the proof: %w", err)
	}
	c, err := open([]byte(p.Checkpoint), verifierKey)
	if err != nil {
		return fmt.Errorf("the proof's checkpoint: %w", err)
	}
	hashes, err := parseHashes(p.Hashes)
	if err != nil {
		return fmt.Errorf("the proof: %w", err)
	}
	switch p.Kind {
	case inclusion:
		return p.checkInclusion(c, hashes)
	case consistency:
		return p.checkConsistency(c, hashes, verifierKey)
	}
	return fmt.Errorf("unknown kind of proof %q, expected %s or %s", p.Kind, inclusion, consistency)
}

func (p *Proof) checkInclusion(c Checkpoint, hashes []tlog.Hash) error {
	if p.Seq == 0 || p.Seq > uint64(c.Size) {
		return fmt.Errorf("record %d cannot be in a log of %d", p.Seq, c.Size)
	}
	if r, err := evidence.ParseLine([]byte(p.Record)); err != nil || r.Seq != p.Seq {
		return errors.New("the proof contains another record than it claims")
	}
	if err := tlog.CheckRecord(hashes, c.Size, c.Root, int64(p.Seq)-1, tlog.RecordHash([]byte(p.Record))); err != nil {
		return fmt.Errorf("record %d is not in the log of %d records that was signed: %w", p.Seq, c.Size, err)
	}
	return nil
}

func (p *Proof) checkConsistency(c Checkpoint, hashes []tlog.Hash, verifierKey string) error {
	old, err := open([]byte(p.Earlier), verifierKey)
	if err != nil {
		return fmt.Errorf("the proof's earlier checkpoint: %w", err)
	}
	if err := tlog.CheckTree(hashes, c.Size, c.Root, old.Size, old.Root); err != nil {
		return fmt.Errorf("the log of %d records does not begin with the %d that were signed before: %w", c.Size, old.Size, err)
	}
	return nil
}
