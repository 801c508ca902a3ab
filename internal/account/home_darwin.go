package account

import (
	"os"
	"os/user"
	"strconv"
)

func lookup() (string, error) {
	account, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if err != nil {
		return "", err
	}
	return account.HomeDir, nil
}

func recorded() (string, error) { return lookup() }
