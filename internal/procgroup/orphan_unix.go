//go:build unix

package procgroup

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// watchman waits until nobody holds the other end of its input any more. Then it
// asks the group whose number it is given to end, and kills it a little later:
// all within 6 seconds (MCP-94), also on a machine that is slow to start sleep.
const watchman = `read -r _; sleep 2; kill -TERM "-$1"; sleep 2; kill -KILL "-$1"`

// EndWithUs has the group of a process end when our process does, also if that
// is killed. release takes it back; it is called when the group has ended.
func EndWithUs(p *Process) (release func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", watchman, "trammel", strconv.Itoa(p.cmd.Process.Pid))
	cmd.Stdin = r
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that what ends us does not end it
	if err := cmd.Start(); err != nil {
		w.Close()
		return nil, fmt.Errorf("cannot watch over the process: %w", err)
	}
	return func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
		w.Close()
	}, nil
}
