//go:build unix

package procgroup

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// group is a process group led by the program.
type group struct{ cmd *exec.Cmd }

func newGroup(cmd *exec.Cmd, _ string) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	EndWithParent(cmd.SysProcAttr)
	return &group{cmd}, keepDescriptors()
}

func (g *group) started() error { return nil }

// kill ends every process of the group. The group's number stays taken as long
// as it has a member; once it has none there is nothing to kill.
func (g *group) kill() error {
	err := syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) || errors.Is(err, syscall.EPERM) { // darwin says EPERM of zombies
		return os.ErrProcessDone
	}
	return err
}

// terminate asks every process of the group to end.
func (g *group) terminate() { syscall.Kill(-g.cmd.Process.Pid, syscall.SIGTERM) }

func (g *group) close() {}

func signalOf(state *os.ProcessState) string {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal().String()
	}
	return ""
}
