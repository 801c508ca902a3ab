// Package layers finds the files that make up the configuration and says
// whether those of the project are trusted. It reads bytes without interpreting
// them: both programs use it, one to check whether its compiled plan is still
// valid, the other to compile it.
//
// There are three layers. The machine's and the user's files belong to people;
// a project's files can be changed by the agent that they restrict. So a
// project file counts fully only as a person has seen it. A copy of what was
// trusted stays in force if the file changes or disappears.
package layers

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// FileName is the name of a configuration file in each layer's directory.
const FileName = "trammel.yaml"

// DropIn is the directory beside FileName whose *.yaml and *.yml files are
// read too, in the order of their names.
const DropIn = "hooks.d"

// SignatureName is the file next to FileName with the signature of what trust
// would pin.
const SignatureName = "trammel.sig"

// RepositoryHooks is the directory of a project whose YAML files, also those in
// folders, declare one hook each, in the form of hooks for AI-centric
// repositories (AIC-20). Other files, such as AGENTS.md, are not read.
var RepositoryHooks = filepath.Join(".system", "hooks")

// Layer says whose file it is. A lower number is a higher layer.
type Layer uint8

// The layers, highest first.
const (
	Machine Layer = iota
	User
	Project
)

// TrustState compares the bytes of a file with what a person has trusted.
type TrustState uint8

const (
	// Unknown bytes were never trusted.
	Unknown TrustState = iota
	// Changed bytes are in a file whose earlier content was trusted.
	Changed
	// Trusted bytes count fully. Those of the machine and the user always do.
	Trusted
)

var (
	layerNames = [...]string{"machine", "user", "project"}
	trustNames = [...]string{"unknown", "changed", "trusted"}
)

func (l Layer) String() string { return layerNames[l] }

func (t TrustState) String() string { return trustNames[t] }

// MarshalText writes the word, for JSON.
func (t TrustState) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// File is the content of one configuration file.
type File struct {
	Layer Layer
	Path  string // as found: a link is not replaced by its target
	Dir   string // relative paths in the file start here
	Data  []byte
	Trust TrustState
	// Pinned is true for the trusted copy of a file that has changed or
	// vanished since.
	Pinned bool
}

// HasProject reports whether the project has its own configuration.
func (s *Set) HasProject() bool {
	return slices.ContainsFunc(s.Files, func(f File) bool { return f.Layer == Project })
}

// InForce reports whether the project's files are in force just as they are written.
func (s *Set) InForce() bool {
	return !slices.ContainsFunc(s.Files, func(f File) bool { return f.Pinned || f.Trust != Trusted })
}

// IsRepositoryHook reports whether the file declares a hook of its repository.
func (f *File) IsRepositoryHook() bool {
	return f.Layer == Project && strings.HasPrefix(f.Path, filepath.Join(f.Dir, RepositoryHooks)+string(filepath.Separator))
}

// Set is everything that the configuration is made of.
type Set struct {
	// Root is the project's directory.
	Root string
	// Files are in the order machine, user, project; a project's from the
	// nearest directory outwards; of a directory first its FileName, then
	// what is in DropIn. A trusted copy comes before the changed file.
	Files []File
	// Digest changes whenever anything above, in Pins or in Bundles changes.
	Digest string
	// Pins are the digests of the programs that trusted project files start.
	Pins map[string]string
	// Bundles are those that lock files name, by their sums.
	Bundles map[string]Bundle
	// Unread are the signatures beside files that are not trusted, as they were
	// found: when one is added or changes, what it signs must be checked again.
	Unread []string
	// Starts, if it is not nil, are the only hooks of project files that may
	// start or call anything: see config.Draft.
	Starts map[string]bool
	// Notes say which files do not count fully, and why.
	Notes []Note
}

// Code classifies a note.
type Code string

// The codes of notes about files.
const (
	CodeUntrusted Code = "untrusted" // a project file that is not trusted
	CodeChanged   Code = "changed"   // a project file that was trusted and has changed
	CodeVanished  Code = "vanished"  // a project file that was trusted and is gone
	CodeForeign   Code = "foreign"   // a file of somebody else, which does not count
)

// Note is a message about a file for its owner.
type Note struct {
	Code Code   `json:"code"`
	Path string `json:"path,omitempty"`
	Line int    `json:"line,omitempty"` // zero if it is about the whole file
	Text string `json:"text"`
}

func (n Note) String() string {
	switch {
	case n.Path == "":
		return n.Text
	case n.Line == 0:
		return fmt.Sprintf("%s: %s", n.Path, n.Text)
	}
	return fmt.Sprintf("%s:%d: %s", n.Path, n.Line, n.Text)
}

// Told is the state for a person.
func (s TrustState) Told() string {
	if s == Unknown {
		return "never trusted"
	}
	return s.String()
}

// PinState says whether a program is trusted as it is.
func (s *Set) PinState(path, digest string) TrustState {
	switch s.Pins[path] {
	case "":
		return Unknown
	case digest:
		return Trusted
	}
	return Changed
}
