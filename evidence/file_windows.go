package evidence

import (
	"fmt"
	"os"
)

// openAppend opens a file for reading and appending, creates it if it is
// missing, and refuses a symbolic link.
func openAppend(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a symbolic link, expected a file", path)
	}
	// Not O_APPEND: a file that is opened for append only cannot be truncated.
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}

// syncDir does nothing: Windows writes names with the file.
func syncDir(string) error { return nil }

// writeEnd writes at the end, which is at size.
func writeEnd(file *os.File, data []byte, size int64) error {
	_, err := file.WriteAt(data, size)
	return err
}
