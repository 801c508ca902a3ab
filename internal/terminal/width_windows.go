package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// Width is how many columns f has, 0 if it is no console.
func Width(f *os.File) int {
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info) != nil {
		return 0
	}
	return int(info.Window.Right-info.Window.Left) + 1
}
