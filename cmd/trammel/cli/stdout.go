package cli

import (
	"io"
	"os"
)

// Stdout is the program's output, and remembers whether it was lost: a disk that
// is full fails a command, also where nothing looks at what a print returns.
type Stdout struct{ lost error }

// Write writes to os.Stdout.
func (s *Stdout) Write(p []byte) (int, error) {
	n, err := os.Stdout.Write(p)
	if err != nil {
		s.lost = err
	}
	return n, err
}

// Lost is why something could not be written, nil if everything was.
func (s *Stdout) Lost() error { return s.lost }

// fileOf is the file of the system that a writer writes to, nil if it is another.
func fileOf(w io.Writer) *os.File {
	if _, out := w.(*Stdout); out || w == os.Stdout {
		return os.Stdout
	}
	if w == os.Stderr {
		return os.Stderr
	}
	return nil
}

// IsStdout reports whether a writer is the program's output.
func IsStdout(w io.Writer) bool { return fileOf(w) == os.Stdout }
