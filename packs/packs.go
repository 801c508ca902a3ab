// Package packs runs process packs: a directory with a manifest (hooks.yaml)
// and a program, Python or JavaScript, that computes facts, validates artifacts
// and renders texts when it is called.
//
// A pack grants nothing. Its program gets a record on stdin and answers with a
// record on stdout; it has no other access to Trammel, a minimal environment,
// and a deadline. A result that claims authority is rejected completely. The
// caller decides what a failure means ([Route]), never the pack.
package packs

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/internal/files"
)

// ManifestName is the file that makes a directory a pack.
const ManifestName = "hooks.yaml"

// Pack is a pack with a valid manifest.
type Pack struct {
	Dir      string // absolute, without symbolic links
	Runtime  Runtime
	Contract fst.Contract
	Hooks    []Hook
	// Entrypoint is the first element of the command that is a file of the pack.
	Entrypoint string
}

// Runtime is the program of a pack.
type Runtime struct {
	ID      string
	Kind    string
	Command []string
	Timeout time.Duration
}

// The kinds of runtimes.
const (
	Python = "python_stdio"
	Node   = "js_ts_stdio"
)

// Hook is one of the hooks that a pack exports.
type Hook struct {
	ID           string   `json:"id"`
	Type         fst.Type `json:"type"`
	ArtifactType string   `json:"input_artifact_type,omitempty"`
	Description  string   `json:"description,omitempty"`
}

// Hook finds a hook by its id.
func (p *Pack) Hook(id string) (Hook, bool) {
	for _, h := range p.Hooks {
		if h.ID == id {
			return h, true
		}
	}
	return Hook{}, false
}

// Root returns the real path of the directory of a pack.
func Root(dir string) (string, error) {
	root, err := filepath.Abs(dir)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no directory %s", dir)
	case err == nil && !files.IsDir(root):
		return "", fmt.Errorf("%s is a file, expected a directory", dir)
	}
	return root, err
}

// Open reads the manifest of the pack in dir. The pack is nil if one of the
// diagnostics is an error.
func Open(dir string) (*Pack, []Diagnostic) {
	r := &report{}
	root, err := Root(dir)
	if err != nil {
		r.add(Error, "pack_missing", place{}, "%v", err)
		return nil, r.list
	}
	p := r.read(root)
	if r.failed {
		return nil, r.list
	}
	return p, r.list
}

// Route says where a failed call leads. The caller's profile chooses it.
type Route string

// The routes of failures. The zero value is Blocked.
const (
	Blocked       Route = "Blocked"
	InstructAgent Route = "InstructAgent"
)
