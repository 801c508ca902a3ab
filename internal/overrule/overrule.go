// Package overrule reports cheaply, from a file, whether a person can override
// a denial on this machine, and whether one may have. The file decides nothing:
// it only says whether to look into the store.
package overrule

import (
	"os"
	"path/filepath"
	"time"
)

// file exists while something is open; its time is the end.
func file(state string) string { return filepath.Join(state, "approvals", "open") }

// Open reports whether a denied call may have been allowed.
func Open(state string, now time.Time) bool {
	return ahead(file(state), now)
}

// ahead reports whether the time of a file is in the future. If it is over for a
// while, the file is removed: what has ended must not begin again when the clock
// is set back. For a moment a new file does not have its time yet.
func ahead(path string, now time.Time) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	end := info.ModTime()
	if now.Sub(end) > time.Minute {
		_ = os.Remove(path)
	}
	return end.After(now)
}

// Mark stores that one is allowed until then.
func Mark(state string, until time.Time) error {
	if info, err := os.Lstat(file(state)); err == nil && info.ModTime().After(until) {
		return nil
	}
	f, err := os.OpenFile(file(state), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Chtimes(file(state), until, until)
}

// Possible reports whether a person has set up an authority secret, without
// which nobody can allow anything.
func Possible(state string) bool {
	_, err := os.Lstat(filepath.Join(state, "approvals", "keys.json"))
	return err == nil
}
