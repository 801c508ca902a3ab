package layers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel"
)

// Dirs are the directories outside of any project that Trammel uses.
type Dirs = trammel.Dirs

// named are the directories that the command line names.
var named struct{ user, state string }

// Use makes System return these directories. A program calls it once, with the
// values of its command line; an empty path means the account's default.
func Use(user, state string) error {
	for _, f := range [...]struct{ flag, dir string }{{UserFlag, user}, {StateFlag, state}} {
		if f.dir != "" && !filepath.IsAbs(f.dir) {
			return fmt.Errorf("%s is %q, expected an absolute path", f.flag, f.dir)
		}
	}
	named.user, named.state = user, state
	return nil
}

// The flags of both programs for the directories. Wirings use them, so that
// nothing in the environment of an agent can replace the user's rules.
const (
	UserFlag  = "--user-config"
	StateFlag = "--state"
)

// System returns the directories of this machine and user.
//
// The machine's directory is fixed (/etc/trammel; on Windows the trammel
// folder in ProgramData). The user's are those that Use was given, else
// ~/.config/trammel and ~/.local/state/trammel in the home directory that the
// system's accounts have for this user (on Windows: in AppData and
// LocalAppData). No environment variable moves any of them: a project's
// settings for its host can set variables, and so can an agent.
func System() (Dirs, error) {
	machine, err := machineDir()
	if err != nil {
		return Dirs{}, fmt.Errorf("the machine's directory: %w", err)
	}
	d := Dirs{Machine: machine, User: named.user, State: named.state, Named: named.user != "" && named.state != ""}
	if d.User == "" {
		if d.User, err = userDir(); err != nil {
			return Dirs{}, fmt.Errorf("the user's configuration directory: %w; name it with %s DIR", err, UserFlag)
		}
	}
	if d.State == "" {
		if d.State, err = stateDir(); err != nil {
			return Dirs{}, fmt.Errorf("the state directory: %w; name it with %s DIR", err, StateFlag)
		}
	}
	d.Cache = filepath.Join(d.State, "cache")
	return d, nil
}

// Flags are the arguments that make another of our programs use the same
// directories.
func Flags() (argv []string) {
	if named.user != "" {
		argv = append(argv, UserFlag, named.user)
	}
	if named.state != "" {
		argv = append(argv, StateFlag, named.state)
	}
	return argv
}

// Check reports a required directory that is missing: one that a wiring names,
// or that of the user's configuration if it was in force before.
func Check(d Dirs) error {
	for _, c := range [...]struct{ what, dir string }{{"user configuration", d.User}, {"state", d.State}} {
		if c.dir == "" {
			continue
		}
		switch info, err := os.Stat(c.dir); {
		case err == nil && info.IsDir():
		case err != nil && !missing(err):
			return fmt.Errorf("the %s directory: %w", c.what, err)
		case d.Named || c.dir == d.User && exists(mark(d)):
			return fmt.Errorf("the %s directory %s does not exist, and rules may be gone with it; restore it, or create it with: trammel init",
				c.what, c.dir)
		}
	}
	return nil
}

// mark is a file that exists once the user's configuration was in force.
func mark(d Dirs) string { return filepath.Join(d.State, "user-configuration") }

// Remember marks that the user's configuration is in force, if it is part of
// the set: from then on its directory must not disappear silently.
func Remember(d Dirs, set *Set) {
	inForce := slices.ContainsFunc(set.Files, func(f File) bool { return f.Layer == User })
	if d.State != "" && inForce && !exists(mark(d)) {
		_ = os.WriteFile(mark(d), nil, 0o600) // if it cannot be written, nothing else can
	}
}
