//go:build unix && !linux

package procgroup

// limit does nothing: these systems cannot bound another process, and macOS
// does not hold to the bounds that it takes.
func (g *group) limit(int64) error { return nil }
