package paths

import "strings"

// Backup reports whether a path is a folder for backups, or below one.
func Backup(abs string) bool {
	for name := range strings.SplitSeq(strings.ToLower(slashes(abs)), "/") {
		switch name {
		case "backup", "backups", ".snapshots", "timeshift", "backups.backupdb":
			return true
		}
	}
	return false
}
