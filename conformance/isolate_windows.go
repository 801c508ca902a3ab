package conformance

import "errors"

// isolates says why the kit does not run here: the user's directories are
// asked of the system, and a fixture's policy would become the user's own.
func isolates() error {
	return errors.New("the kit needs a system where variables move the user's directories; it does not run on Windows")
}
