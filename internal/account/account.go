// Package account finds the home directory of the account that runs this
// program. It asks the system: $HOME is a variable that anybody can set, and
// os/user would fall back to it.
package account

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Home is the home directory of the account.
func Home() (string, error) {
	home, err := lookup()
	if err == nil && !filepath.IsAbs(home) {
		err = fmt.Errorf("found %q, expected an absolute path", home)
	}
	if err != nil {
		return "", fmt.Errorf("the home directory of user id %d: %w", os.Getuid(), err)
	}
	return home, nil
}

var once struct {
	sync.Once
	home string
}

// Recorded is the home directory of the account, as far as it can be looked up
// without starting a program; "" if it cannot. It is looked up once.
func Recorded() string {
	once.Do(func() {
		if home, err := recorded(); err == nil && filepath.IsAbs(home) {
			once.home = filepath.Clean(home)
		}
	})
	return once.home
}
