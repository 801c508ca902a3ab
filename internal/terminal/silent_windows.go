package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// Open opens the console of this process, to read and to write.
func Open() (in, out *os.File, err error) {
	if in, err = os.OpenFile("CONIN$", os.O_RDWR, 0); err != nil {
		return nil, nil, err
	}
	if out, err = os.OpenFile("CONOUT$", os.O_RDWR, 0); err != nil {
		in.Close()
	}
	return in, out, err
}

// Silent calls read while the console does not show what is typed.
func Silent(f *os.File, read func() error) error {
	handle := windows.Handle(f.Fd())
	var was uint32
	if err := windows.GetConsoleMode(handle, &was); err != nil {
		return err
	}
	if err := windows.SetConsoleMode(handle, was&^windows.ENABLE_ECHO_INPUT|windows.ENABLE_LINE_INPUT); err != nil {
		return err
	}
	defer func() { _ = windows.SetConsoleMode(handle, was) }()
	return read()
}
