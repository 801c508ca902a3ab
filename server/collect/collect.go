// Package collect stores the evidence of many machines: each sends its logs,
// signed, as they grow, and cannot take back what has arrived.
package collect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/lazy"
)

// State is how far a log has arrived.
type State struct {
	Records uint64 `json:"records"`
	Hash    string `json:"hash,omitempty"` // of the last one
}

// Push is a part of a log. Lines may be empty: then it only says where the log
// ends.
type Push struct {
	Verifier string `json:"verifier"` // the public key of the log
	Head     []byte `json:"head"`     // the last record of Lines, or of the log, signed
	Lines    []byte `json:"lines,omitempty"`
}

// Refused is a push that does not follow what has arrived.
type Refused struct{ Detail string }

func (r *Refused) Error() string { return r.Detail }

// Collector stores logs below a directory: machine, then log.
type Collector struct{ Dir string }

var name = lazy.Regexp(`^[A-Za-z0-9._-]{1,128}$`)

// Names reports whether a text can be the name of a machine, and so of a token,
// or of a log. A project's directory, and so its log, may begin with a dot.
func Names(text string) bool { return name().MatchString(text) && strings.Trim(text, ".") != "" }

func (c *Collector) place(machine, log string) (string, error) {
	if !Names(machine) || !Names(log) {
		return "", &Refused{"names of machines and logs may have only letters, digits, dots and dashes"}
	}
	return filepath.Join(c.Dir, machine, log), nil
}

// State says how far a log has arrived.
func (c *Collector) State(machine, log string) (State, error) {
	dir, err := c.place(machine, log)
	if err != nil {
		return State{}, err
	}
	last, err := evidence.Last(dir)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return State{last.Seq, last.Hash}, err
}

// Take checks a push and stores it: it is signed with the key of the log's
// first push, the records match their hashes and follow what is here, and the
// log has not become shorter.
func (c *Collector) Take(ctx context.Context, machine, log string, p *Push) (State, error) {
	dir, err := c.place(machine, log)
	if err != nil {
		return State{}, err
	}
	seq, hash, err := transparency.OpenHead(p.Head, p.Verifier)
	if err != nil {
		return State{}, &Refused{"the head is not signed by this log's key: " + err.Error()}
	}
	if err := pin(dir, p.Verifier); err != nil {
		return State{}, err
	}
	had, err := c.State(machine, log)
	switch {
	case err != nil:
		return had, err
	case seq < had.Records:
		return had, &Refused{fmt.Sprintf("record %d had arrived, but the log ends with record %d: it was rolled back", had.Records, seq)}
	case seq == had.Records && hash != had.Hash:
		return had, &Refused{fmt.Sprintf("record %d is not the one that had arrived: the log was rebuilt", seq)}
	case len(p.Lines) == 0:
		return had, nil
	}
	last, err := check(p.Lines)
	if err != nil || last.Seq != seq || last.Hash != hash {
		return had, &Refused{"the records do not end with the one that is signed"}
	}
	last, err = evidence.Open(dir, evidence.Options{Fsync: true}).Take(ctx, p.Lines)
	var broken *evidence.Broken
	if errors.As(err, &broken) {
		return had, &Refused{"the records do not follow those that had arrived: " + broken.Error()}
	}
	return State{last.Seq, last.Hash}, err
}

// check reads the last record of lines.
func check(lines []byte) (evidence.Receipt, error) {
	end := len(lines) - 1
	if lines[end] != '\n' {
		return evidence.Receipt{}, errors.New("the last line has no end")
	}
	start := end
	for start > 0 && lines[start-1] != '\n' {
		start--
	}
	return evidence.ParseLine(lines[start:end])
}

// pin stores the key of a log's first push: another key means another log.
func pin(dir, verifier string) error {
	file := filepath.Join(dir, "verifier")
	known, err := os.ReadFile(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		return files.Replace(file, []byte(verifier))
	case err != nil:
		return err
	case string(known) != verifier:
		return &Refused{"this log was started with another key"}
	}
	return nil
}
