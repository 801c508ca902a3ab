package install

import (
	"os"
)

// keepOwner does nothing: a file in a user's directory belongs to the user.
func keepOwner(*os.File, os.FileInfo) error { return nil }
