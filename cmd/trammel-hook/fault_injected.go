//go:build trammelfault

package main

import (
	"os"
	"syscall"
	"time"
)

// fault breaks this program on purpose. It is only in builds with the tag
// trammelfault, which the end-to-end tests make to see what hosts do then.
func fault() {
	switch os.Getenv("TRAMMEL_FAULT") {
	case "panic":
		panic("injected fault")
	case "hang":
		time.Sleep(time.Hour)
	case "kill":
		p, _ := os.FindProcess(os.Getpid())
		p.Signal(syscall.SIGKILL)
		time.Sleep(time.Second)
	}
}
