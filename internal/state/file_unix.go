//go:build unix

package state

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
)

// file is a bare descriptor: an os.File would register it with the poller,
// which costs more than reading it.
type file int

const noFile file = -1

// replacesOpen is true where a file can be put in the place of one that somebody reads.
const replacesOpen = true

// openFile opens a file that is there. A symbolic link is refused, and a pipe
// is not waited for.
func openFile(path string) (file, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CLOEXEC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return noFile, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		return file(fd), nil
	}
}

// missing reports whether nothing has this name. It is asked before every event.
func missing(path string) bool {
	var info syscall.Stat_t
	return errors.Is(syscall.Lstat(path, &info), syscall.ENOENT)
}

// readAll reads the file, up to most bytes of it.
func (f file) readAll(most int) ([]byte, error) {
	data := make([]byte, 1024+1) // sizes are powers of two: one read is enough for most
	for at := 0; ; {
		n, err := syscall.Pread(int(f), data[at:], int64(at))
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return nil, err
		}
		at += n
		if n == 0 || at < len(data) || at >= most {
			return data[:at], nil
		}
		data = append(data, make([]byte, min(3*len(data), most-at))...)
	}
}

// write puts data at the beginning of the file.
func (f file) write(data []byte) error {
	for {
		n, err := syscall.Pwrite(int(f), data, 0)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err == nil && n < len(data):
			return io.ErrShortWrite
		}
		return err
	}
}

func (f file) close() { syscall.Close(int(f)) }
