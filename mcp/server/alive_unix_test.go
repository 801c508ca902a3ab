//go:build unix

package server_test

import (
	"strconv"
	"syscall"
)

func alive(pid string) bool {
	n, err := strconv.Atoi(pid)
	return err == nil && syscall.Kill(n, 0) == nil
}
