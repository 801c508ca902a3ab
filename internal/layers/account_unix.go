//go:build unix && !darwin

package layers

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// accountHome looks into /etc/passwd, and asks getent for accounts that are
// kept elsewhere. os/user would fall back to $HOME.
func accountHome() (string, error) {
	id := strconv.Itoa(os.Getuid())
	data, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return "", err
	}
	if home, ok := passwdHome(string(data), id); ok {
		return home, nil
	}
	for _, getent := range []string{"/usr/bin/getent", "/bin/getent"} {
		cmd := exec.Command(getent, "passwd", id)
		cmd.Env = []string{}
		if data, err := cmd.Output(); err == nil {
			if home, ok := passwdHome(string(data), id); ok {
				return home, nil
			}
		}
	}
	return "", errors.New("the system has no account with this id")
}

// passwdHome finds the home directory of a user id in lines of name:password:uid:gid:about:home:shell.
func passwdHome(lines, id string) (string, bool) {
	for line := range strings.Lines(lines) {
		if fields := strings.Split(strings.TrimSpace(line), ":"); len(fields) >= 6 && fields[2] == id {
			return fields[5], true
		}
	}
	return "", false
}
