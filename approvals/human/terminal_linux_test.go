package human

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// APR-16: a person sees the question for a secret only when the terminal no longer
// shows what is typed. The question goes to a pipe that is full, so it cannot be
// seen before this test has looked at the terminal.
func TestSecretIsNotShown(t *testing.T) {
	keyboard, terminal, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	defer keyboard.Close()
	defer terminal.Close()
	screen, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	defer out.Close()
	size, err := unix.FcntlInt(out.Fd(), unix.F_GETPIPE_SZ, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Write(make([]byte, size)); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 1)
	go func() {
		line, err := (&console{terminal, out}).Ask("Secret: ", true)
		if err != nil {
			t.Error(err)
		}
		lines <- line
	}()
	shows := true
	for end := time.Now().Add(time.Minute); shows && time.Now().Before(end); time.Sleep(time.Millisecond) {
		mode, err := unix.IoctlGetTermios(int(keyboard.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		shows = mode.Lflag&unix.ECHO != 0
	}
	if shows {
		t.Error("the question is asked before the echo is off")
	}
	if _, err := screen.Read(make([]byte, size)); err != nil {
		t.Fatal(err)
	}
	if _, err := keyboard.WriteString("hush\n"); err != nil {
		t.Fatal(err)
	}
	if line := <-lines; line != "hush" {
		t.Errorf("read %q", line)
	}
	out.Close() // what is typed does not end the line on the screen
	if said, err := io.ReadAll(screen); err != nil || !strings.HasSuffix(string(said), "Secret: \n") {
		t.Errorf("the next line begins behind %q: %v", said, err)
	}
}
