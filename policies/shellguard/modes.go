package shellguard

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
)

// covers reports whether a mount hides a tree that the machine cannot do without.
func (j *judge) covers(f *effects.File) bool {
	if f.Run < 0 || j.set.Runs[f.Run].Program != "mount" {
		return false
	}
	switch f.Path.Abs {
	case "/", "/bin", "/sbin", "/etc", "/lib", "/lib64", "/usr", "/usr/bin", "/usr/lib", "/home", "/root":
		return true
	}
	return false
}

// mounts reports whether a change is one of how a file system is mounted, other
// than taking away one that the machine needs.
func (j *judge) mounts(f *effects.File) bool {
	if f.Run < 0 {
		return false
	}
	switch j.set.Runs[f.Run].Program {
	case "mount":
		return true
	case "umount":
		switch f.Path.Abs {
		case "/mnt", "/media", "/Volumes", "/tmp", "/run", "/boot", "/boot/efi", "/proc", "/sys", "/dev", "/srv", "/opt":
			return true
		}
	}
	return false
}

// mode judges a change of permissions, owner or attributes.
func (j *judge) mode(f *effects.File) {
	p := f.Path
	_, extent := j.ground.System(p)
	tree := f.Tree || p.Glob && strings.Contains(p.Abs, "/**")
	switch {
	case !p.Known() || j.mounts(f) || f.Run >= 0 && otherVersion(&j.set.Runs[f.Run]):
	case tree && extent >= paths.All:
		j.add("destroys_system_tree", where(p))
	case tree && j.ground.HomeOf(p) >= paths.All:
		j.add("destroys_home", where(p))
	case !tree && j.installs(p):
		j.add("installs_program", where(p))
	case j.special(p, extent), j.ground.ProjectOf(p) == paths.Itself && j.ownsAgain(f.Run):
	case tree && (j.ground.ProjectOf(p) >= paths.All || !paths.Within(p.Abs, j.ground.Project) && !j.ground.Scratch(p)):
		j.add("permissions_tree", where(p))
	}
}
