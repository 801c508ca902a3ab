//go:build unix

package layers

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

func machineDir() (string, error) { return "/etc/trammel", nil }

func userDir() (string, error) { return xdg("XDG_CONFIG_HOME", ".config") }

func stateDir() (string, error) { return xdg("XDG_STATE_HOME", ".local/state") }

func xdg(variable, fallback string) (string, error) {
	if dir := os.Getenv(variable); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("$%s is %q, expected an absolute path", variable, dir)
		}
		return filepath.Join(dir, "trammel"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(home) {
		return "", fmt.Errorf("$HOME is %q, expected an absolute path", home)
	}
	return filepath.Join(home, fallback, "trammel"), nil
}

// open does not wait for a writer if the name turns out to be a pipe: a hook
// that hangs is a hook that most hosts skip.
func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// guarded checks that nobody but the user and root can have written a file.
func guarded(info fs.FileInfo) error {
	if perm := info.Mode().Perm(); perm&0o022 != 0 {
		return fmt.Errorf("others can write it (mode %04o), expected that only its owner can: chmod go-w", perm)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Uid != 0 && int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("it belongs to user id %d, expected root or user id %d", st.Uid, os.Geteuid())
	}
	return nil
}
