package effects

import (
	"os"

	"github.com/trammel-dev/trammel"
)

// System is the world of an event on this machine.
func System(ev *trammel.Event) *World {
	home, _ := os.UserHomeDir()
	dir := ev.Session.Dir
	if dir == "" {
		dir, _ = os.Getwd()
	}
	return &World{
		Dir: dir, Project: ev.Session.Project, Home: home, User: os.Getenv("USER"),
		Getenv: os.LookupEnv, Lstat: os.Lstat, Readlink: os.Readlink,
	}
}
