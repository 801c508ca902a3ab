package procgroup

import "golang.org/x/sys/unix"

// limit bounds the memory of the program and of what it starts, each for
// itself. Data, not the address space: interpreters reserve far more of that
// than they use.
func (g *group) limit(bytes int64) error {
	lim := unix.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	return unix.Prlimit(g.cmd.Process.Pid, unix.RLIMIT_DATA, &lim, nil)
}
