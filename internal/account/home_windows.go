package account

import "golang.org/x/sys/windows"

func lookup() (string, error) {
	return windows.KnownFolderPath(windows.FOLDERID_Profile, windows.KF_FLAG_DEFAULT)
}

func recorded() (string, error) { return lookup() }
