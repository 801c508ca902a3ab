package process

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// A run counts because the evidence has its digest, not because it is in a file:
// who can write to the state directory cannot make a run, change one, or put an
// older one back, unless they forge the evidence, too.
//
// The new run is written beside the old one, then the record, then the new one
// takes the place of the old. Whoever is killed in between has either not been
// on record, and the old run stands, or has been, and the new one does.

// sealed is a run as it is kept.
type sealed struct {
	Record uint64          `json:"record,omitempty"` // the number of the record with its digest
	Run    json.RawMessage `json:"run"`
}

// The kinds of files of a run.
const (
	fileRun  = "run"
	fileNext = "next" // as it is after a call that may not be on record yet
)

// has reports whether there is such a run. It says nothing about its worth.
func (s shelf) has(id string) (bool, error) {
	there, err := s.load(fileRun, id, &sealed{})
	if err == nil && !there {
		there, err = s.load(fileNext, id, &sealed{})
	}
	return there, err
}

// recall reads the run, and reports whether there is one. It is the one on
// record, or an error.
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
	case digest == "" && !isOld: // it was never begun
		return false, nil
	}
	return false, refuse(CodeRunForged, "the run %.60q is not the one that the evidence of this project has", id)
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

// draft writes the run down as it is after the call, beside the one before it.
func (c *call) draft(s shelf) (err error) {
	if c.text, err = json.Marshal(c.run); err != nil || c.p.options.Log == nil {
		return err
	}
	return s.save(fileNext, c.run.ID, sealed{Run: c.text})
}

// settle lets the new run take the place of the old one.
func (c *call) settle(s shelf) error {
	if err := s.save(fileRun, c.run.ID, sealed{c.receipt, c.text}); err != nil {
		return err
	}
	return s.remove(fileNext, c.run.ID)
}
