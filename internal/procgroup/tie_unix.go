//go:build unix

package procgroup

import (
	"os"
	"os/exec"
	"syscall"
)

// tie puts a sentinel into the group that waits for the end of a pipe of ours
// and then ends the group: we cannot, if we were killed. The returned function
// is to be called when the group has been killed. Without a shell there is no
// sentinel.
func (g *group) tie() (untie func()) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return func() {}
	}
	defer theirs.Close()
	sentinel := exec.Command("/bin/sh", "-c", "read -r _; kill -9 0")
	sentinel.Env, sentinel.Stdin = []string{}, theirs
	sentinel.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.cmd.Process.Pid}
	if err := sentinel.Start(); err != nil { // the program has ended already, or there is no shell
		ours.Close()
		return func() {}
	}
	return func() {
		ours.Close()
		sentinel.Wait()
	}
}
