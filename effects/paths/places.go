package paths

import (
	"path"
	"strings"
)

// IsSensor reports whether a path is a device that hears keys, or sees or hears
// people.
func IsSensor(abs string) bool {
	name, ok := strings.CutPrefix(abs, "/dev/")
	return ok && (strings.HasPrefix(name, "input/") || strings.HasPrefix(name, "hidraw") || strings.HasPrefix(name, "video") ||
		strings.HasPrefix(name, "snd/pcm") || strings.HasPrefix(name, "fb") || strings.HasPrefix(name, "vcs") ||
		name == "dsp" || name == "audio" || name == "uinput")
}

// StartsWindows reports whether Windows or Office runs a file by itself, because of its folder.
func StartsWindows(name string) bool {
	lower := strings.ToLower(strings.ReplaceAll(name, `\`, "/")) + "/" // or what is copied to the folder
	for _, part := range [...]string{"/start menu/programs/startup/", "/windows/system32/tasks/", "/system32/grouppolicy/machine/scripts/",
		"/system32/grouppolicy/user/scripts/", "/microsoft/word/startup/", "/microsoft/excel/xlstart/", "/microsoft/outlook/vbaproject.otm",
		"/system32/wbem/autorecover/"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return false
}

// StartsPython reports whether a file is one that Python runs each time it starts.
func StartsPython(name string) bool {
	return strings.HasSuffix(name, ".pth") || strings.HasSuffix(name, "/usercustomize.py") || strings.HasSuffix(name, "/sitecustomize.py")
}

// Extends reports whether a file is in a folder from which an editor or a desktop loads extensions each time
// it starts.
func Extends(name string) bool {
	if folder, _, ok := strings.Cut(name, "/extensions/"); ok && strings.HasPrefix(path.Base(folder), ".") { // of an editor, in the home
		return true
	}
	for _, part := range [...]string{"/.vim/plugin/", "/.vim/autoload/", "/nvim/plugin/", "/nvim/after/plugin/", "/gnome-shell/extensions/",
		"/.config/sublime-text/Packages/", "/.jupyter/custom/", "/.ipython/profile_default/startup/"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// IsManaged reports whether a program is where the system or a package manager puts its own.
func IsManaged(abs string) bool {
	for _, dir := range [...]string{"/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/", "/usr/lib/", "/opt/", "/usr/local/", "/nix/", "/snap/",
		"/home/linuxbrew/"} {
		if strings.HasPrefix(abs, dir) {
			return true
		}
	}
	return false
}

// Manual reports whether a path is among the texts that a system keeps for people:
// manual pages, documentation, licenses. Nothing runs them.
func Manual(abs string) bool {
	rest, ok := strings.CutPrefix(abs, "/usr/")
	rest = strings.TrimPrefix(rest, "local/")
	for _, dir := range [...]string{"share/man/", "share/doc/", "share/info/", "share/licenses/", "man/"} {
		if name, in := strings.CutPrefix(rest, dir); ok && in && name != "" {
			return true
		}
	}
	return false
}

// Refilled reports whether a path is in a folder that programs fill again.
func Refilled(abs string) bool {
	for _, dir := range [...]string{"/.cache/", "/Caches/", "/.npm/_cacache", "/DerivedData/", "/.m2/repository/", "/.gradle/caches/",
		"/.cargo/registry/"} {
		if strings.Contains(abs, dir) {
			return true
		}
	}
	for _, dir := range [...]string{"/var/lib/apt/lists/", "/var/cache/apt/", "/var/cache/apk/", "/var/cache/dnf/", "/var/cache/yum/",
		"/var/cache/zypp/", "/var/cache/pacman/pkg/"} {
		if strings.HasPrefix(abs, dir) {
			return true
		}
	}
	return false
}
