//go:build !unix

package world

import "os"

// Readlink implements trammel.World.
func (System) Readlink(path string) (string, error) { return os.Readlink(path) }
