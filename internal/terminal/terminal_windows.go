// Package terminal tells whether a person is at the other end of a file.
package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// Is reports whether f is a console.
func Is(f *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}
