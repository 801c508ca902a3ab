//go:build unix

package layers

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/trammel-dev/trammel/internal/account"
)

func machineDir() (string, error) { return "/etc/trammel", nil }

// userDir refuses to ignore rules in a directory that only a variable names, as
// in earlier versions.
func userDir() (string, error) {
	dir, err := inHome("XDG_CONFIG_HOME", ".config")
	if err != nil || exists(dir) {
		return dir, err
	}
	if other := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "trammel"); other != dir && filepath.IsAbs(other) &&
		exists(filepath.Join(other, FileName)) {
		return "", fmt.Errorf("found %s, which only a variable names, but no %s; move it there, or wire it with: trammel init --user-config "+
			"%[1]s",
			other, dir)
	}
	return dir, nil
}

func stateDir() (string, error) { return inHome("XDG_STATE_HOME", ".local/state") }

// inHome is Trammel's folder in a directory of the account's home.
func inHome(variable, below string) (string, error) {
	if environment == "follow" {
		if dir := os.Getenv(variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, "trammel"), nil
		}
		return filepath.Join(os.Getenv("HOME"), below, "trammel"), nil
	}
	home, err := account.Home()
	return filepath.Join(home, below, "trammel"), err
}

// environment is "follow" in programs that are built for tests only (go build
// -ldflags -X) and in test binaries that say so: then HOME and XDG_* choose
// the directories.
var environment string

// FollowEnvironment is for test binaries (internal/layers/isolated).
func FollowEnvironment() { environment = "follow" }

// open does not wait for a writer if the file is a pipe: most hosts skip a hook
// that hangs.
func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// foreign reports whether something belongs to another user than this one, root
// and the owner of the directory that it is in.
func foreign(info os.FileInfo, dir string) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || owner.Uid == 0 || int(owner.Uid) == os.Geteuid() {
		return false
	}
	above, err := os.Stat(dir)
	if err != nil {
		return false
	}
	host, ok := above.Sys().(*syscall.Stat_t)
	return ok && host.Uid != owner.Uid
}

// guarded checks that nobody but the user and root can have written a file.
func guarded(info os.FileInfo) error {
	if perm := info.Mode().Perm(); perm&0o022 != 0 {
		return fmt.Errorf("others can write it (mode %04o), expected that only its owner can: chmod go-w", perm)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Uid != 0 && int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("it belongs to user id %d, expected root or user id %d", st.Uid, os.Geteuid())
	}
	return nil
}
