package trammel

import "io/fs"

// World is everything that judging a call may look up about the machine on
// which the call runs. Effects and policies look at nothing else, so whoever
// gives another World (Event.World) decides what they see: a test a frozen
// one, a runtime the inside of its container.
//
// Paths are absolute. What a World knows nothing about it answers with an error
// other than fs.ErrNotExist: unknown is not the same as missing.
type World interface {
	Lstat(path string) (fs.FileInfo, error)
	Readlink(path string) (string, error)
	// ReadFile reads a regular file. One that is longer than max bytes, or no
	// regular file, is an error.
	ReadFile(path string, max int) ([]byte, error)
	// ReadDir lists at most max entries of a directory, in no order.
	ReadDir(path string, max int) ([]fs.DirEntry, error)
	// LookupEnv looks up a variable of the agent's environment. One that is
	// not found is unknown, and not empty.
	LookupEnv(name string) (string, bool)
	Home() string // what $HOME is in the agent's environment, "" if unknown
	User() string // the name of the account, "" if unknown
	// AccountHome is the home directory of the account in the system's records,
	// whatever $HOME is; "" if unknown.
	AccountHome() string
}
