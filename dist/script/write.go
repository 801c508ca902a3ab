// Package script writes install.sh for one release: it knows the version and
// the public key, and takes nothing that the key has not signed.
package script

import (
	_ "embed"
	"strings"

	"github.com/trammel-dev/trammel/dist/checksums"
	"github.com/trammel-dev/trammel/dist/content"
)

//go:embed install.sh
var text string

// Write is the script. public is a key of signed notes: name+hash+key.
func Write(version content.Version, public string) ([]byte, error) {
	name, key, err := checksums.Key(public)
	if err != nil {
		return nil, err
	}
	return []byte(strings.NewReplacer("@VERSION@", string(version), "@KEY_NAME@", name, "@KEY@", key, "@URL@", content.URL).Replace(text)), nil
}
