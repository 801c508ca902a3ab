package overrule

import (
	"path/filepath"
	"time"
)

// PauseFile is the file of a person's pause. Its time is the end of the pause,
// its content is signed.
func PauseFile(state string) string { return filepath.Join(state, "approvals", "pause") }

// MayBePaused reports whether the file is worth reading.
func MayBePaused(state string, now time.Time) bool {
	return ahead(PauseFile(state), now)
}
