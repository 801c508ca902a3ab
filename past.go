package trammel

import "time"

// Past is what is remembered of a session: what its earlier calls were allowed
// to do. It is known before a call is judged, and never in the call's own favor.
type Past interface {
	// Recall lists what is remembered of one sort, oldest first. An error
	// means that nothing is known, which is not the same as that there is
	// nothing.
	Recall(sort PastSort) (Recalled, error)
}

// PastSort is one sort of things that a session does.
type PastSort string

// The sorts. What is remembered is the absolute path of a file unless it says
// otherwise, and By says how it came about.
const (
	WroteFile     PastSort = "wrote"    // it was written
	FetchedFile   PastSort = "fetched"  // it holds what came from a host
	FetchedTree   PastSort = "trees"    // a folder, with a slash behind it, of what came from the host By
	CopiedProgram PastSort = "programs" // it is a copy of the program By
	HoldsSecret   PastSort = "copies"   // it holds what was read from a secret
	ReadSecret    PastSort = "secrets"  // a secret was shown to the model
	ForeignText   PastSort = "foreign"  // the host or MCP server whose text was taken in
	AddedRemote   PastSort = "remotes"  // the address of a git remote; By is its name
	AddedPackage  PastSort = "packages" // a package that was installed; By is the installer
)

// Recalled is what is remembered of one sort.
type Recalled struct {
	Items []Remembered
	// Forgot is true if there was more than is kept: what is not listed may
	// have been.
	Forgot bool
}

// Remembered is one thing that a session has done.
type Remembered struct {
	What string
	By   string
	At   time.Time // when it was done first
}
