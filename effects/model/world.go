package model

import "os"

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
