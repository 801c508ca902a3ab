package effect

import (
	"os"

	"github.com/trammel-dev/trammel"
)

// World is what is known of the machine. Tests put in a frozen one.
type World struct {
	Dir     string // the session's directory, absolute
	Project string // the project's root, "" if there is none
	Home    string
	User    string
	// Getenv looks up a variable of the agent's environment. A variable that
	// is not known there is unknown, and not empty.
	Getenv func(name string) (string, bool)
	// Lstat and Readlink look at the file system. Both may be nil: then no
	// path is a link.
	Lstat    func(path string) (os.FileInfo, error)
	Readlink func(path string) (string, error)
}

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
