package install

import (
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/trammel-dev/trammel/dialects"
)

// Env is the machine as this package sees it.
type Env struct {
	Home     string
	State    string // Trammel's state directory: records and originals are in install/
	GOOS     string // runtime.GOOS
	Root     string // the root of administrators' files
	Getenv   func(string) string
	LookPath func(string) (string, error)
}

// Scope is whose sessions are wired.
type Scope string

// The scopes.
const (
	User    Scope = "user"
	Project Scope = "project"
	Machine Scope = "machine" // only for files that an administrator deploys; see Managed
)

// Options say what is wired.
type Options struct {
	Scope   Scope
	Project string // the project's directory, for scope project
	Hook    string // the absolute path of trammel-hook
	// Missing is for scope project: what happens if the program is not installed.
	Missing Missing
	// UserConfig is the directory of the user's configuration, which the wiring
	// of a user names together with the state directory.
	UserConfig string
}

// Change is what would be, or was, done to wire or unwire a host.
type Change struct {
	Host string
	// Files are only those that change; none means that nothing has to be done.
	Files []FileChange
	// Notes say what the user must do, and Warnings what is wrong.
	Notes    []string
	Warnings []string

	record *record // what is remembered afterwards; nil: nothing
	state  store
	before *record  // what was remembered before
	made   []string // directories made for it
}

// FileChange is the change of one file.
type FileChange struct {
	Path   string // as the host knows it; if it is a link, its target is written
	Before []byte
	After  []byte
	Mode   fs.FileMode // of a new file; an existing one keeps its own
	Create bool        // there is no such file yet
	Remove bool        // it is deleted

	Servers []string // the MCP servers in it that get the proxy
}

// site is one host in one scope.
type site struct {
	Env
	Options
	host     *dialects.Host
	known    bool // the scope has files, though there may be none to wire yet
	targets  []target
	notes    []string
	warnings []string
}

// target is a file to be wired.
type target struct {
	path string
	// wiring is for JSON that may be the user's; text for files that are
	// entirely ours.
	wiring *wiring
	text   []byte
	// named: the file has our name, so it is removed when nothing is left in it.
	named bool
}

func (s *site) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

// at collects the targets of a host.
func at(env Env, name string, opts Options) (*site, error) {
	h, err := Find(name)
	if err != nil {
		return nil, err
	}
	if err := opts.Missing.Check(); err != nil {
		return nil, err
	}
	switch {
	case opts.Scope != User && opts.Scope != Project:
		return nil, fmt.Errorf("unknown scope %q, expected user or project", opts.Scope)
	case opts.Scope == Project && !filepath.IsAbs(opts.Project):
		return nil, fmt.Errorf("the project is %q, expected an absolute path", opts.Project)
	case !filepath.IsAbs(env.Home) || !filepath.IsAbs(env.State):
		return nil, fmt.Errorf("the home directory is %q and the state directory %q, expected absolute paths", env.Home, env.State)
	}
	s := &site{Env: env, Options: opts, host: h}
	if err := s.collect(); err != nil {
		return nil, fmt.Errorf("%s: %w", h.Facts().Title, err)
	}
	return s, nil
}
