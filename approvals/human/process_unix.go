//go:build linux || darwin

package human

import (
	"fmt"
	"os"
)

// Lineage lists this process and all above it, nearest first.
func Lineage() ([]Process, error) {
	var out []Process
	for id := os.Getpid(); id > 0; {
		if len(out) == maxDepth {
			return nil, fmt.Errorf("there are more than %d processes above it", maxDepth)
		}
		p, parent, err := process(id)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
		id = parent
	}
	return out, nil
}
