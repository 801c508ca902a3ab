package layers

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// machineDir asks the system, because %ProgramData% is a variable like any other.
func machineDir() (string, error) { return known(windows.FOLDERID_ProgramData, "trammel") }

func userDir() (string, error) { return known(windows.FOLDERID_RoamingAppData, "trammel") }

func stateDir() (string, error) { return known(windows.FOLDERID_LocalAppData, "trammel", "state") }

// FollowEnvironment has nothing to do: tests name their directories here.
func FollowEnvironment() {}

func known(folder *windows.KNOWNFOLDERID, below ...string) (string, error) {
	dir, err := windows.KnownFolderPath(folder, windows.KF_FLAG_DEFAULT)
	if err != nil {
		return "", err
	}
	return filepath.Join(append([]string{dir}, below...)...), nil
}

func open(path string) (*os.File, error) { return os.Open(path) }

// foreign has nothing to look at either.
func foreign(os.FileInfo, string) bool { return false }

// guarded has nothing to check: modes say nothing here, and the folders above
// are closed to other users unless someone has opened them on purpose.
func guarded(os.FileInfo) error { return nil }
