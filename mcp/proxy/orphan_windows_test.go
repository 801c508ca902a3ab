package proxy

import (
	"os"
	"syscall"
)

// apart: a server is in a job of its own, which nobody outside sees.
func apart(*os.Process) bool { return true }

// gone reports whether processes have ended. An id that is not in use any more
// cannot be opened.
func gone(started []*os.Process) bool {
	for _, p := range started {
		h, err := syscall.OpenProcess(syscall.SYNCHRONIZE, false, uint32(p.Pid))
		if err != nil {
			continue
		}
		event, _ := syscall.WaitForSingleObject(h, 0)
		syscall.CloseHandle(h)
		if event != syscall.WAIT_OBJECT_0 {
			return false
		}
	}
	return true
}

func stubborn() {}
