// Package config turns configuration files into declared hooks: it reads YAML
// strictly, says where and why a file is wrong, stacks the layers so that a
// lower one can only tighten, and ignores what a project may not do on its own.
//
// The Go types File and HookDecl are the file format. The reader is driven by
// them, and the JSON Schema is generated from them.
package config

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/plan"
)

// Registry has everything that the configuration refers to by name.
type Registry interface {
	// Policy finds a built-in policy.
	Policy(name string) (trammel.Policy, bool)
	// Policies lists the built-in policies by name.
	Policies() []trammel.Policy
	// PrepareKind checks a handler's part of a declaration and returns what to
	// store for it: the same bytes, or the handler's extended ones. For the
	// kind "channel" it checks how people are reached.
	PrepareKind(kind string, config []byte) ([]byte, error)
}

// Compiled is the configuration of all layers.
type Compiled struct {
	// Hooks are the hooks in force, ordered by layer (machine, user, project),
	// then file, then declaration.
	Hooks    []plan.Hook
	Settings plan.Settings
	// Report has every declared hook, in the same order.
	Report []Entry
	// HooksOff is where repository_hooks: false is set, "" if it is not.
	HooksOff string
	// Withheld replace guards that are not in force because no person has
	// trusted them. Each denies what its guard would have judged. Only runtimes
	// of the repository run them; agents' hosts run without the guard.
	Withheld []plan.Hook
	// Notes are for the owner of the files, and include the notes of the set.
	Notes []layers.Note

	entryPoints map[string][]string // by the directory of the project
	lines       map[string]string   // what each hook starts or whom it asks, by id
	starts      map[string][]string // the files that each hook starts, by id
}

// Entry says what became of one declared hook.
type Entry struct {
	ID       string         `json:"id"`       // under which it runs; the declared one if it does not
	Declared string         `json:"declared"` // the id in the file
	About    string         `json:"about,omitempty"`
	Source   trammel.Source `json:"source"`
	Status   Status         `json:"status"`
	Why      string         `json:"why,omitempty"` // in words, unless it is simply in force

	// Repository is the declaration of a repository hook, and Script where its
	// script would be, if it names one; nil and "" for all others.
	Repository *RepositoryHook `json:"-"`
	Script     string          `json:"-"`

	untrusted bool
	bundled   string // the directory whose files extend its bundle
}

// Kept reports whether the hook is in force.
func (e *Entry) Kept() bool { return e.Status == InForce }

// Status says whether a declared hook is in force, or why not.
type Status string

// The values of Status.
const (
	InForce    Status = "in force"
	NotEnabled Status = "not enabled" // the declaration says enabled: false
	Disabled   Status = "disabled"    // a file of the same or a higher layer disables it
	OffProfile Status = "off profile" // the profile in effect is less strict than it asks for
	Untrusted  Status = "untrusted"   // its file may only tighten until a human trusts it
	Duplicate  Status = "duplicate"   // the trusted copy of its file declares the same
	Replaced   Status = "replaced"    // a hook of the same id replaces the preset's
	Broken     Status = "broken"      // the declaration in an untrusted file is wrong
)

// The codes of notes that compiling adds to those of the files.
const (
	CodeNotDisabled   layers.Code = "not_disabled"   // a disabled list names a hook that it may not disable
	CodeNoSuchHook    layers.Code = "no_such_hook"   // a disabled list names no hook
	CodeRenamed       layers.Code = "renamed"        // an id was taken
	CodeNoGrant       layers.Code = "no_grant"       // an allow that may not grant has no effect
	CodeSettingUnused layers.Code = "setting_unused" // another file has set it, or this one may not
	CodeBroken        layers.Code = "broken"         // an error in an untrusted file
)

// Compile reads every file of the set. Errors in trusted files are returned as
// Errors, of all files at once, and then nothing is compiled. An error in an
// untrusted file becomes a note: it must not switch the other layers off.
func Compile(set *layers.Set, reg Registry) (*Compiled, error) {
	c, err := compile(set, reg)
	if err != nil {
		return nil, err
	}
	return c.out, nil
}

func compile(set *layers.Set, reg Registry) (*compiler, error) {
	c := &compiler{set: set, reg: reg, out: &Compiled{lines: map[string]string{}, starts: map[string][]string{},
		entryPoints: map[string][]string{}, Notes: append([]layers.Note(nil), set.Notes...)}}
	if c.outdated(); c.errs.total > 0 {
		return nil, c.errs.list()
	}
	for i := range set.Files {
		if !set.Files[i].IsLock() {
			c.file(&set.Files[i])
		}
	}
	c.lockDrift()
	c.duplicates()
	c.tuned()
	c.approvals()
	c.exceptions()
	if c.errs.total > 0 {
		return nil, c.errs.list()
	}
	c.settings()
	c.layer()
	c.forgiven()
	c.out.Settings.Past = c.past()
	return c, nil
}
