package human

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Lineage lists this process and all above it, nearest first.
func Lineage() ([]Process, error) {
	var out []Process
	for id := os.Getpid(); id > 0; {
		if len(out) == maxDepth {
			return nil, fmt.Errorf("there are more than %d processes above it", maxDepth)
		}
		info, err := unix.SysctlKinfoProc("kern.proc.pid", id)
		if err != nil {
			return nil, err
		}
		p := Process{ID: id, Name: unix.ByteSliceToString(info.Proc.P_comm[:])}
		p.Exe, p.Args, p.Env = arguments(id)
		out = append(out, p)
		id = int(info.Eproc.Ppid)
	}
	return out, nil
}

// arguments reads a process's file, command line and environment, as far as
// they are ours to see.
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
