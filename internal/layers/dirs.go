package layers

import (
	"fmt"
	"os"
	"path/filepath"
)

// Dirs are the directories outside of any project that Trammel uses.
type Dirs struct {
	Machine string // the machine's configuration
	User    string // the user's configuration
	State   string // what must last: trust, evidence
	Cache   string // what can be made again: compiled plans
}

// System returns the directories of this machine and user.
//
// The machine's directory is fixed (/etc/trammel; on Windows the trammel
// folder in ProgramData), and no environment variable moves it: a project's
// settings for its host can set variables. The others follow the user's
// environment. On Unix, macOS included, the user's configuration is
// $XDG_CONFIG_HOME/trammel or ~/.config/trammel, and the state
// $XDG_STATE_HOME/trammel or ~/.local/state/trammel; on Windows they are in
// AppData and LocalAppData.
func System() (Dirs, error) {
	machine, err := machineDir()
	if err != nil {
		return Dirs{}, fmt.Errorf("the machine's directory: %w", err)
	}
	user, err := userDir()
	if err != nil {
		return Dirs{}, fmt.Errorf("the user's configuration directory: %w", err)
	}
	state, err := stateDir()
	if err != nil {
		return Dirs{}, fmt.Errorf("the state directory: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return Dirs{}, fmt.Errorf("the cache directory: %w", err)
	}
	return Dirs{Machine: machine, User: user, State: state, Cache: filepath.Join(cache, "trammel")}, nil
}
