//go:build !unix

package world

import "os"

func readlink(path string) (string, error) { return os.Readlink(path) }
