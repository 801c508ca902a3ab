package human

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// process asks the kernel for one process and the number of its parent.
func process(id int) (p Process, parent int, err error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", id)
	if err != nil {
		return p, 0, err
	}
	p = Process{ID: id, Name: unix.ByteSliceToString(info.Proc.P_comm[:])}
	p.Exe, p.Args, p.Env = arguments(id)
	return p, int(info.Eproc.Ppid), nil
}

// arguments reads a process's file, command line and environment, if we may see
// them.
func arguments(id int) (exe string, args, env []string) {
	data, err := unix.SysctlRaw("kern.procargs2", id)
	if err != nil || len(data) < 4 {
		return "", nil, nil
	}
	n := int(binary.NativeEndian.Uint32(data))
	path, rest, _ := bytes.Cut(data[4:], []byte{0})
	for _, part := range bytes.Split(bytes.TrimLeft(rest, "\x00"), []byte{0}) {
		if len(args) < n {
			args = append(args, string(part))
		} else {
			env = append(env, string(part))
		}
	}
	return string(path), args, env
}
