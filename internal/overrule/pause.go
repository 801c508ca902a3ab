package overrule

import (
	"os"
	"path/filepath"
	"time"
)

// PauseFile is where a person's pause is. Its time is until when it lasts, its
// content is signed.
func PauseFile(state string) string { return filepath.Join(state, "approvals", "pause") }

// MayBePaused reports whether it is worth to read it.
func MayBePaused(state string, now time.Time) bool {
	info, err := os.Lstat(PauseFile(state))
	return err == nil && info.ModTime().After(now)
}
