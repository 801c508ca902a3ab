package process

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// A run counts because the evidence has its digest, not because it is in a
// file: write access to the state directory is not enough to make a run, change
// one, or restore an older one, without forging the evidence, too.
//
// The new run is written next to the old one, then the record, then the new run
// replaces the old one. After a crash in between, the old run counts if the
// call was not recorded, else the new one.

// sealed is a run as stored.
type sealed struct {
	Record uint64          `json:"record,omitempty"` // the number of the record with its digest
	Run    json.RawMessage `json:"run"`
}

// The kinds of files of a run.
const (
	fileRun  = "run"
	fileNext = "next" // after a call that may not be recorded yet
)

// has reports whether there is such a run. It does not verify it.
func (s shelf) has(id string) (bool, error) {
	there, err := s.load(fileRun, id, &sealed{})
	if err == nil && !there {
		there, err = s.load(fileNext, id, &sealed{})
	}
	return there, err
}

// recall reads the run, and reports whether there is one. If it is not the
// recorded one, that is an error.
func (c *call) recall(s shelf, id string) (there bool, err error) {
	if c.begins {
		return false, nil
	}
	var old, next sealed
	isOld, err := s.load(fileRun, id, &old)
	if err != nil {
		return false, err
	}
	isNext, err := s.load(fileNext, id, &next)
	if err != nil {
		return false, err
	}
	if c.p.options.Log == nil {
		if !isOld {
			return false, nil
		}
		return true, json.Unmarshal(old.Run, c.run)
	}
	digest, err := onRecord(c.p.options.Log, id, old.Record)
	switch {
	case err != nil:
		return false, err
	case isOld && digest == canonical.Digest(old.Run):
		return true, json.Unmarshal(old.Run, c.run)
	case isNext && digest == canonical.Digest(next.Run):
		return true, json.Unmarshal(next.Run, c.run)
	case digest == "" && !isOld: // it was never started
		return false, nil
	}
	return false, refuse(CodeRunForged, "the run %.60q does not match the evidence of this project", id)
}

// onRecord is the digest that the last record about a run has of it, "" if there
// is none from this number on.
func onRecord(log *evidence.Log, id string, from uint64) (digest string, err error) {
	name := []byte(id)
	err = log.Since(from, func(e evidence.Entry) error {
		if !bytes.Contains(e.Body, name) {
			return nil
		}
		var rec struct {
			Event   string
			Control struct {
				Run    string `json:"run_id"`
				Digest string `json:"run_hash"`
			}
		}
		if err := json.Unmarshal(e.Body, &rec); err != nil {
			return err
		}
		if rec.Event == evidence.ControlCall && rec.Control.Run == id && rec.Control.Digest != "" {
			digest = rec.Control.Digest
		}
		return nil
	})
	if errors.Is(err, evidence.ErrRestarted) {
		return "", nil
	}
	return digest, err
}

// draft writes the run after the call, next to the one before it.
func (c *call) draft(s shelf) (err error) {
	if c.text, err = json.Marshal(c.run); err != nil || c.p.options.Log == nil {
		return err
	}
	return s.save(fileNext, c.run.ID, sealed{Run: c.text})
}

// replaceRun replaces the old run by the new one.
func (c *call) replaceRun(s shelf) error {
	if err := s.save(fileRun, c.run.ID, sealed{c.receipt, c.text}); err != nil {
		return err
	}
	return s.remove(fileNext, c.run.ID)
}
