package procgroup

import "syscall"

// EndWithParent has the system end the program when we end, however we end.
// That does not include its child processes. The thread that starts the
// program must live as long as it: the Go runtime ends none but those that a
// goroutine was locked to when it returned.
func EndWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
