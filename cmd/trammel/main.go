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
	var out cli.Stdout
	top := root()
	top.SetOut(&out)
	top.SetErr(cli.Stderr{})
	cmd, err := top.ExecuteC()
	var quiet cli.Exit
	switch silent := errors.As(err, &quiet); {
	case err == nil && out.Lost() != nil:
		err = out.Lost()
	case silent && out.Lost() != nil:
		complain(out.Lost())
		os.Exit(int(quiet))
	case silent:
		os.Exit(int(quiet))
	}
	if err != nil {
		complain(err)
		os.Exit(cli.ExitCode(cmd, err))
	}
}

func complain(err error) {
	_ = cli.Wrap(cli.Stderr{}, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "trammel:", cli.Message(err))
		return err
	})
}
