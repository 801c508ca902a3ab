package model

import "github.com/trammel-dev/trammel"

// Setting is where a call happens: on which machine, and in which directories.
type Setting struct {
	trammel.World
	Dir     string // the session's directory, absolute
	Project string // the project's root, "" if there is none
}
