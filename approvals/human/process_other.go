//go:build !linux && !darwin && !windows

package human

import (
	"fmt"
	"runtime"
)

// Lineage is unknown on this system, which means no.
func Lineage() ([]Process, error) {
	return nil, fmt.Errorf("%s is not supported", runtime.GOOS)
}
