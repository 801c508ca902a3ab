package overrule

import (
	"os"
	"path/filepath"
	"time"
)

// PauseFile is the file of a person's pause. Its time is the end of the pause,
// its content is signed.
func PauseFile(state string) string { return filepath.Join(state, "approvals", "pause") }

// MayBePaused reports whether the file is worth reading.
func MayBePaused(state string, now time.Time) bool {
	info, err := os.Lstat(PauseFile(state))
	return err == nil && info.ModTime().After(now)
}
