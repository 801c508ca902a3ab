// Package repository holds what is true of the whole repository: what imports what, how
// long a file is, and that generated pages say what the code says. It is no part of the
// root package's tests, as all that imports that package would be compiled again for them.
package repository

import (
	"fmt"
	"os"
	"testing"
)

// TestMain makes the root of the repository the folder that paths begin at.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
