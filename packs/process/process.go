// Package process runs controlled processes: a pack whose profile says which
// actions there are and the gates before them.
//
// An agent submits an action; the gates are checked in the order of the file,
// and the first that fails decides. The answer is one of eight routes. Hooks of
// the pack compute facts and grant nothing; artifacts count only after they
// were admitted to the run; approvals come from people, through this product,
// and never in a payload. Anything that is unknown is refused.
package process

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/packs"
)

// The names of the files that make a pack a process.
const (
	ManifestName = "process.manifest.yaml"
	profileName  = "profile.yaml"
	coreName     = "core-profile.json"
)

// The versions of the interfaces.
const (
	ProfileAPI      = "fst.profile.v1"
	LogicAPI        = "fst.process_logic.v1"
	ControlProtocol = "fst.control.v1"
)

// Options are what the caller of a process decides.
type Options struct {
	// StateDir is Trammel's state directory: runs are stored there.
	StateDir string
	// Log is where each call is recorded; nil records nothing.
	Log *evidence.Log
	// Desk asks people. Without one, requests that need an approval wait forever.
	Desk *desk.Desk
	// Project is where requests to people belong.
	Project string
	// User is who runs the agent, as an identity: os:1000.
	User string
	// Pinned is the digest that the pack must have, if set.
	Pinned string
	// Admit says whether a revision may be used, and with which connectors. nil
	// is for tests: then every connector is available.
	Admit func(ctx context.Context, d *Definition) (connectors []string, err error)
	// Now is the clock; nil is the system's.
	Now func() time.Time
}

// Process is a process that can be controlled. It is safe for concurrent use.
type Process struct {
	dir     string
	options Options

	mu       sync.Mutex
	current  *Definition
	sessions map[sessionKey]*packs.Session
}

// Definition is the content of a pack, read once.
type Definition struct {
	Manifest Manifest
	Profile  Profile
	Digest   string      // of the profile
	Revision string      // of everything in the pack
	Hooks    *packs.Pack // nil if there are none
	schemas  map[string]schema
}

// Is reports whether a directory holds a process.
func Is(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ManifestName))
	return err == nil
}

// Open reads the process in a directory. The process is nil if the report has
// an error other than missing scenarios: a draft can be tried without them.
func Open(dir string, o Options) (*Process, Report) {
	d, report := Read(dir)
	if d == nil {
		return nil, report
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Process{dir: dir, options: o, current: d, sessions: map[sessionKey]*packs.Session{}}, report
}

// Definition is the content of the pack, as last read.
func (p *Process) Definition() *Definition {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.current
}

// fresh is the current content of the pack. A run that was started under
// another profile is refused later, by its digest.
func (p *Process) fresh() (*Definition, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	revision, err := files.Tree(p.dir)
	switch {
	case err != nil:
		return nil, refuse(CodeProfileInvalid, "the pack cannot be read: %v", err)
	case p.options.Pinned != "" && revision != p.options.Pinned:
		return nil, refuse(CodePackChanged, "the pack has changed since it was opened")
	case revision == p.current.Revision:
		return p.current, nil
	}
	d, report := Read(p.dir)
	if d == nil {
		return nil, refuse(CodeProfileInvalid, "the pack has changed and cannot be used: %s", report.first())
	}
	p.endSessions()
	p.current = d
	return d, nil
}

// Admitted says why the process cannot be used; nil if it can.
func (p *Process) Admitted(ctx context.Context) error {
	if p.options.Admit == nil {
		return nil
	}
	_, err := p.options.Admit(ctx, p.Definition())
	return err
}

// Pin makes calls fail as soon as anything in the pack changes.
func (p *Process) Pin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.options.Pinned = p.current.Revision
}

// Close ends the programs of hooks.
func (p *Process) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.endSessions()
}
