package human

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Lineage lists this process and all above it, nearest first, by their names.
// A parent that has ended ends the list.
func Lineage() ([]Process, error) {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil, err
	}
	defer windows.CloseHandle(snapshot)
	type one struct {
		Process
		parent int
	}
	all := map[int]one{}
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		id := int(entry.ProcessID)
		all[id] = one{Process{ID: id, Name: windows.UTF16ToString(entry.ExeFile[:])}, int(entry.ParentProcessID)}
	}
	var out []Process
	for id := os.Getpid(); id > 0; {
		p, there := all[id]
		switch {
		case !there && len(out) == 0:
			return nil, fmt.Errorf("this process is not in the list")
		case !there:
			return out, nil
		case len(out) == maxDepth:
			return nil, fmt.Errorf("there are more than %d processes above it", maxDepth)
		}
		out = append(out, p.Process)
		delete(all, id) // ids are reused, and could form a circle
		id = p.parent
	}
	return out, nil
}
