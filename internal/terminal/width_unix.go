//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// Width is how many columns f has, 0 if it is no terminal or does not say.
func Width(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
