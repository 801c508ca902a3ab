// Command trammel is the full program: it compiles configuration, explains and
// tests it, keeps and verifies evidence, and does for trammel-hook what that
// does not link.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	err := root().Execute()
	var quiet exit
	switch {
	case errors.As(err, &quiet):
		os.Exit(int(quiet))
	case err != nil:
		fmt.Fprintln(os.Stderr, "trammel:", err)
		os.Exit(1)
	}
}

// exit is an error that has already been told: only the exit code is left.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }
