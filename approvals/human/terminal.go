package human

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/trammel-dev/trammel/internal/terminal"
)

// console is the terminal that controls this process, whatever its standard
// input is.
type console struct{ in, out *os.File }

func openTerminal() (Terminal, error) {
	in, out, err := terminal.Open()
	if err != nil {
		return nil, err
	}
	return &console{in, out}, nil
}

// Ask implements Terminal.
func (c *console) Ask(text string, secret bool) (line string, err error) {
	ask := func() (err error) {
		if _, err = fmt.Fprint(c.out, text); err == nil {
			line, err = c.line()
		}
		return err
	}
	if !secret {
		err = ask()
		return line, err
	}
	err = terminal.Silent(c.in, ask) // nothing is typed before the echo is off
	fmt.Fprintln(c.out)
	return line, err
}

// maxLine is how long a line may be.
const maxLine = 4096

// line reads to the end of the line, and nothing after it.
func (c *console) line() (string, error) {
	var out []byte
	for one := make([]byte, 1); len(out) < maxLine; {
		n, err := c.in.Read(one)
		switch {
		case n == 1 && one[0] == '\n':
			return strings.TrimSuffix(string(out), "\r"), nil
		case n == 1:
			out = append(out, one[0])
		case errors.Is(err, io.EOF):
			return "", errors.New("the terminal was closed")
		case err != nil:
			return "", err
		}
	}
	return "", fmt.Errorf("the line is longer than %d bytes", maxLine)
}

// Close implements Terminal.
func (c *console) Close() error {
	if c.out != c.in {
		c.out.Close()
	}
	return c.in.Close()
}
