//go:build trammelfault

package main

import (
	"os"
	"syscall"
	"time"

	"github.com/trammel-dev/trammel"
)

// fault breaks this program on purpose, where it judges tool calls. It is only
// in builds with the tag trammelfault, which the end-to-end tests make to see
// what hosts do then.
func fault() {
	if kind, _ := trammel.ParseKind(os.Args[len(os.Args)-1]); kind != trammel.PreToolUse {
		return
	}
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
