package compute

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// NixCommand is what nix shell -c, nix develop -c and nix run start. The last
// runs the program that a package is called after: nixpkgs#terraform.
func NixCommand(args []model.Word, behind func(...string) []model.Word) []model.Word {
	if words := behind("-c", "--command"); len(words) > 0 || len(args) < 2 || args[0].Text != "run" {
		return words
	}
	for _, w := range args[1:] {
		if strings.HasPrefix(w.Text, "-") {
			continue
		}
		name := path.Base(w.Text[strings.LastIndexByte(w.Text, '#')+1:])
		return append([]model.Word{{Text: name, Known: w.Known}}, behind("--")...)
	}
	return nil
}
