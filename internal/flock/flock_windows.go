package flock

import (
	"errors"

	"golang.org/x/sys/windows"
)

type handle windows.Handle

// open opens the link itself if path is one, so that it can be refused.
func open(path string) (handle, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	h, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_ALWAYS, windows.FILE_ATTRIBUTE_NORMAL|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return 0, err
	}
	var info windows.ByHandleFileInformation
	err = windows.GetFileInformationByHandle(h, &info)
	if err == nil && info.FileAttributes&windows.FILE_ATTRIBUTE_REPARSE_POINT != 0 {
		err = errors.New("it is a symbolic link, expected a file")
	}
	if err != nil {
		windows.CloseHandle(h)
		return 0, err
	}
	return handle(h), nil
}

// The locked range is one byte far after any content, because a lock on Windows
// also keeps others from reading.
var place = windows.Overlapped{OffsetHigh: 1 << 30}

func (h handle) tryLock() error {
	at := place
	err := windows.LockFileEx(windows.Handle(h), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrBusy
	}
	return err
}

func (h handle) read(p []byte) int {
	var n uint32
	windows.ReadFile(windows.Handle(h), p, &n, new(windows.Overlapped))
	return int(n)
}

func (h handle) write(p []byte) error {
	var n uint32
	return windows.WriteFile(windows.Handle(h), p, &n, new(windows.Overlapped))
}

func (h handle) unlock() error {
	at := place
	return windows.UnlockFileEx(windows.Handle(h), 0, 1, 0, &at)
}

func (h handle) close() error { return windows.CloseHandle(windows.Handle(h)) }
