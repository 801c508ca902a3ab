package install

import (
	"fmt"
	"os"
)

// executable says why a program cannot be started, nil if it can.
func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("trammel-hook: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("trammel-hook: %s is not a file", path)
	}
	return nil
}

// keepOwner does nothing: a file in a user's directory belongs to the user.
func keepOwner(*os.File, os.FileInfo) error { return nil }
