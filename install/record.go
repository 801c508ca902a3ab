package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/layers"
)

// record is what is stored about a host's wiring, so that it can be undone.
type record struct {
	Version int            `json:"version"`
	Host    string         `json:"host"`
	Scope   Scope          `json:"scope"`
	Project string         `json:"project,omitempty"`
	Hook    string         `json:"hook"`
	Files   []recordedFile `json:"files"`
	Dirs    []string       `json:"dirs,omitempty"` // made by us, outermost first
}

// recordedFile is one wired file.
type recordedFile struct {
	Path     string `json:"path"`
	Created  bool   `json:"created,omitempty"`  // it was not there before
	Whole    bool   `json:"whole,omitempty"`    // it is ours as a whole
	Original string `json:"original,omitempty"` // digest of what uninstall restores
	Written  string `json:"written"`            // digest of what we wrote

	original []byte // what Original is the digest of, if it has to be saved
}

const recordVersion = 1

func (r *record) file(path string) *recordedFile {
	if r == nil {
		return nil
	}
	for i := range r.Files {
		if r.Files[i].Path == path {
			return &r.Files[i]
		}
	}
	return nil
}

func (r *record) canonical() ([]byte, error) {
	files := make([]any, len(r.Files))
	for i, f := range r.Files {
		m := map[string]any{"path": f.Path, "written": f.Written}
		if f.Created {
			m["created"] = true
		}
		if f.Whole {
			m["whole"] = true
		}
		if f.Original != "" {
			m["original"] = f.Original
		}
		files[i] = m
	}
	out := map[string]any{"version": recordVersion, "host": r.Host, "scope": string(r.Scope), "hook": r.Hook, "files": files}
	if r.Project != "" {
		out["project"] = r.Project
	}
	if len(r.Dirs) > 0 {
		out["dirs"] = r.Dirs
	}
	return canonical.Append(nil, out)
}

// store is where the record of one host in one scope is kept, and the
// originals of all.
type store struct{ dir, name string }

func storeOf(env Env, what string, opts Options) store {
	name := what + "-" + string(opts.Scope)
	if opts.Scope == Project {
		name += "-" + layers.Key(filepath.Clean(opts.Project))
	}
	return store{filepath.Join(env.State, "install"), name + ".json"}
}

// Recorded reports whether a host was wired here and not unwired since: if our
// entries are missing then, somebody else has removed them.
func Recorded(env Env, host string, opts Options) bool { return storeOf(env, host, opts).exists() }

// ServersRecorded reports the same of the proxy in front of a host's servers.
func ServersRecorded(env Env, host string, opts Options) bool {
	return serversStore(env, host, opts).exists()
}

func serversStore(env Env, host string, opts Options) store { return storeOf(env, host+"-mcp", opts) }

func (s store) path() string { return filepath.Join(s.dir, s.name) }

// backup is where an original is kept: by its digest, so that none is ever
// overwritten by another.
func (s store) backup(digest string) string {
	return filepath.Join(s.dir, "originals", strings.TrimPrefix(digest, "sha256:"))
}

// read returns the record, nil if there is none.
func (s store) read() (*record, error) {
	data, err := os.ReadFile(s.path())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := new(record)
	if err := json.Unmarshal(data, r, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w; restore it, or remove it: then `trammel uninstall` removes our entries instead of "+
			"restoring the file", s.path(), err)
	}
	if r.Version != recordVersion {
		return nil, fmt.Errorf("%s: version is %d, expected %d", s.path(), r.Version, recordVersion)
	}
	return r, nil
}

// write saves the record, and before it the originals that it names.
func (s store) write(r *record) error {
	if err := os.MkdirAll(filepath.Join(s.dir, "originals"), 0o700); err != nil {
		return err
	}
	for _, f := range r.Files {
		if f.original == nil && (f.Original == "" || f.Original != digest(nil)) {
			continue // created, or saved by an earlier record
		}
		if err := replace(s.backup(f.Original), f.original, 0o600); err != nil {
			return err
		}
	}
	data, err := r.canonical()
	if err != nil {
		return err
	}
	return replace(s.path(), append(data, '\n'), 0o600)
}

// original reads what a file was before it was wired.
func (s store) original(f *recordedFile) ([]byte, error) {
	data, err := os.ReadFile(s.backup(f.Original))
	if err != nil {
		return nil, fmt.Errorf("the original: %w", err)
	}
	if digest(data) != f.Original {
		return nil, fmt.Errorf("the original: %s has changed since it was saved", s.backup(f.Original))
	}
	return data, nil
}

// forget drops the record, and the originals that no other record names.
func (s store) forget() error {
	r, err := s.read()
	if err != nil || r == nil {
		return err
	}
	if err := os.Remove(s.path()); err != nil {
		return err
	}
	names, err := filepath.Glob(filepath.Join(s.dir, "*.json"))
	if err != nil {
		return err
	}
	needed := map[string]bool{}
	for _, name := range names {
		other, err := store{s.dir, filepath.Base(name)}.read()
		if err != nil {
			return nil // a record that cannot be read may need any of them
		}
		for _, f := range other.Files {
			needed[f.Original] = true
		}
	}
	for _, f := range r.Files {
		if f.Original != "" && !needed[f.Original] {
			if err := os.Remove(s.backup(f.Original)); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
