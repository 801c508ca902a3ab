//go:build unix

package mcp

import (
	"os/exec"
	"syscall"

	"github.com/trammel-dev/trammel/internal/procgroup"
)

// group puts the server into a process group of its own, so that it and what
// it starts end together.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	procgroup.EndWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
