//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// Open opens the terminal that controls this process, to read and to write.
func Open() (in, out *os.File, err error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	return f, f, err
}

// Silent calls read while the terminal does not show what is typed. A signal
// that ends the process does not leave it silent.
func Silent(f *os.File, read func() error) error {
	fd := int(f.Fd())
	was, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return err
	}
	silent := *was
	silent.Lflag &^= unix.ECHO
	silent.Lflag |= unix.ICANON | unix.ISIG
	silent.Iflag |= unix.ICRNL
	if err := unix.IoctlSetTermios(fd, setTermios, &silent); err != nil {
		return err
	}
	back := func() { _ = unix.IoctlSetTermios(fd, setTermios, was) }
	defer back()
	end, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(end, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(end)
	defer close(done)
	go func() {
		select {
		case sig := <-end:
			back()
			signal.Reset(sig)
			_ = syscall.Kill(os.Getpid(), sig.(syscall.Signal))
		case <-done:
		}
	}()
	return read()
}
