package layers

import (
	"os"
	"os/user"
	"strconv"
)

func accountHome() (string, error) {
	account, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if err != nil {
		return "", err
	}
	return account.HomeDir, nil
}
