package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
)

// shadows reports whether a file is found in the place of a program that comes with every
// system, and that people give their passwords and files to: ~/.local/bin/sudo. A program
// of the system, or of a package manager, under that name is meant by whoever installs it.
func (j *judge) shadows(f *effects.File) bool {
	dir, name := path.Dir(f.Path.Abs), path.Base(f.Path.Abs)
	if path.Base(dir) != "bin" && path.Base(dir) != "sbin" || paths.Within(dir, j.ground.Project) || j.ground.Scratch(f.Path) {
		return false
	}
	for i := range j.set.Files { // a link to where everybody can put something else
		if l := &j.set.Files[i]; l.Op == effects.Link && l.Run == f.Run && j.ground.Scratch(l.Path) {
			return true
		}
	}
	if !slices.Contains(strings.Fields(everywhere), name) {
		return false
	}
	return !slices.ContainsFunc(j.set.Files, func(from effects.File) bool {
		return from.Run == f.Run && from.Op != effects.Write && from.Path.Known() && paths.IsManaged(from.Path.Abs)
	})
}

// everywhere are programs that nobody installs by hand.
const everywhere = `sudo su doas login passwd ssh scp sftp ssh-add ssh-agent git gpg sh bash zsh dash env ls cat cp mv rm ln ps top id
	whoami kill grep sed awk find xargs tar curl wget make crontab systemctl launchctl mount dpkg apt apt-get rpm less more vi vim nano
	ping netstat ss openssl security codesign open xdg-open date echo test which df du chmod chown man`
