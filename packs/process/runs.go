package process

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/internal/state"
)

// run is a controlled run, as stored. It is bound to the profile under which it
// was started.
type run struct {
	ID             string            `json:"run_id"`
	Process        string            `json:"process_id"`
	ProcessVersion string            `json:"process_version"`
	Profile        string            `json:"profile_id"`
	ProfileVersion string            `json:"profile_version"`
	ProfileDigest  string            `json:"profile_hash"`
	Created        time.Time         `json:"created_at"`
	Completed      time.Time         `json:"completed_at,omitzero"`
	Artifacts      []Artifact        `json:"artifacts,omitempty"`
	Effects        []effect          `json:"effects,omitempty"`
	Answers        map[string]answer `json:"answers,omitempty"` // by idempotency key
	// Next are the actions that may follow; empty means all.
	Next []string `json:"next_actions,omitempty"`
}

// answer is the answer to a request with a key. One that is waiting for people
// is not final: the same request is judged again.
type answer struct {
	Request  string    `json:"request"` // the digest
	Response *Response `json:"response,omitempty"`
}

// pointer is the run of a key, or of a waiting request.
type pointer struct {
	Run     string `json:"run_id"`
	Request string `json:"request"`
}

// shelf stores the runs of one process in files. Each is replaced atomically,
// under a lock that ends with its process: a killed process leaves the old run
// or the new one.
type shelf struct{ dir, process string }

func (s shelf) path(kind, name string) string {
	return filepath.Join(s.dir, "process", state.Digest(s.process, kind, name)+".json")
}

// lock waits until nobody else works on a file.
func (s shelf) lock(ctx context.Context, kind, name string) (unlock func(), err error) {
	path := s.path(kind, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	held, err := flock.Lock(ctx, path+".lock")
	if err != nil {
		return nil, err
	}
	return func() { held.Unlock() }, nil
}

// load reads a file into v, and reports whether it exists. A damaged file is an
// error.
func (s shelf) load(kind, name string, v any) (bool, error) {
	data, err := os.ReadFile(s.path(kind, name))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return false, fmt.Errorf("%s %s is damaged: %w", kind, name, err)
	}
	return true, nil
}

func (s shelf) save(kind, name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return files.Replace(s.path(kind, name), data)
}

func (s shelf) remove(kind, name string) error {
	if err := os.Remove(s.path(kind, name)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// newID is a prefix and 96 random bits.
func newID(prefix string) string {
	var b [12]byte
	rand.Read(b[:])
	return prefix + base64.RawURLEncoding.EncodeToString(b[:])
}
