package cli

import (
	"io"
	"os"

	"github.com/trammel-dev/trammel/internal/terminal"
	"github.com/trammel-dev/trammel/internal/visible"
)

// Stdout is the program's output, and remembers whether it was lost: a disk that
// is full fails a command, also where nothing looks at what a print returns.
type Stdout struct{ lost error }

// Write writes to os.Stdout.
func (s *Stdout) Write(p []byte) (int, error) {
	n, err := show(os.Stdout, p)
	if err != nil {
		s.lost = err
	}
	return n, err
}

// Lost is why something could not be written, nil if everything was.
func (s *Stdout) Lost() error { return s.lost }

// Stderr is where the program says what is wrong.
type Stderr struct{}

// Write writes to os.Stderr.
func (Stderr) Write(p []byte) (int, error) { return show(os.Stderr, p) }

// show writes to a file. Most of what we print comes from models and projects, so
// a terminal gets all of it in a form that it does not obey. Programs in a pipe
// get it as it is.
func show(f *os.File, p []byte) (int, error) {
	if !terminal.Is(f) {
		return f.Write(p)
	}
	if _, err := f.WriteString(visible.Terminal(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// fileOf is the file of the system that a writer writes to, nil if it is another.
func fileOf(w io.Writer) *os.File {
	switch w.(type) {
	case *Stdout:
		return os.Stdout
	case Stderr:
		return os.Stderr
	}
	if f, ok := w.(*os.File); ok && (f == os.Stdout || f == os.Stderr) {
		return f
	}
	return nil
}

// IsStdout reports whether a writer is the program's output.
func IsStdout(w io.Writer) bool { return fileOf(w) == os.Stdout }
