// Command trammel is the full program: it compiles configuration, explains and
// tests it, stores and verifies evidence, and does what trammel-hook does not
// link.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
)

func main() {
	cmd, err := root().ExecuteC()
	var quiet cli.Exit
	switch {
	case errors.As(err, &quiet):
		os.Exit(int(quiet))
	case err != nil:
		_ = cli.Wrap(os.Stderr, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, "trammel:", cli.Message(err))
			return err
		})
		os.Exit(cli.ExitCode(cmd, err))
	}
}
