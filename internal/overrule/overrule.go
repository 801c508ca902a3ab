// Package overrule tells, for the price of a look at a file, whether a person
// can overrule a denial on this machine, and whether one has. The file decides
// nothing: it says whether it is worth to look into the store.
package overrule

import (
	"os"
	"path/filepath"
	"time"
)

// file is there while something is open; its time is until when.
func file(state string) string { return filepath.Join(state, "approvals", "open") }

// Open reports whether a denied call may have been allowed.
func Open(state string, now time.Time) bool {
	info, err := os.Lstat(file(state))
	return err == nil && info.ModTime().After(now)
}

// Mark notes that one is allowed until then.
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
