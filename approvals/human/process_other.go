//go:build !linux && !darwin && !windows

package human

import (
	"fmt"
	"runtime"
)

// Lineage is unknown here, and what is unknown is a no.
func Lineage() ([]Process, error) {
	return nil, fmt.Errorf("%s is not supported", runtime.GOOS)
}
