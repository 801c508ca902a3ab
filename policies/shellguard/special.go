package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// scratch reports whether a tree may be emptied.
func scratch(tree string) bool {
	return tree == "/tmp" || tree == "/var/tmp" || tree == "/private/tmp"
}

// serviceFile reports whether a file is the unit of a service of the machine.
func serviceFile(abs string) bool {
	return strings.HasPrefix(abs, "/etc/systemd/system/") || strings.HasPrefix(abs, "/lib/systemd/system/") ||
		strings.HasPrefix(abs, "/usr/lib/systemd/system/")
}

// harmless reports whether the known new content of a file in a folder of settings
// weakens nothing: apt retries or waits, udev lets people use virtual machines, the
// kernel gets larger sizes.
func (j *judge) harmless(f *effects.File) bool {
	if f.Run < 0 || j.set.Runs[f.Run].Input == nil || !slices.Contains([]string{"tee", "cat", "sponge", "dd"}, j.set.Runs[f.Run].Program) {
		return false // others write something that they make of their input
	}
	switch text := *j.set.Runs[f.Run].Input; path.Dir(f.Path.Abs) {
	case "/etc/apt/apt.conf.d":
		return recipes.OnlyRetries(text)
	case "/etc/udev/rules.d":
		return recipes.OnlyKVM(text)
	case "/etc/sysctl.d":
		return recipes.OnlySizes(text)
	}
	return false
}

// installs reports whether a file is a new one below a directory for software that
// is not part of the system.
func (j *judge) installs(p effects.Path) bool {
	dir := strings.TrimPrefix(path.Dir(p.Abs), j.at.Home())
	own := dir == "/.local/bin" || dir == "/bin" && dir != path.Dir(p.Abs)
	if !own && !strings.HasPrefix(p.Abs, "/usr/local/") || strings.Contains(p.Abs, "/ca-certificates/") || p.Glob {
		return false
	}
	_, err := j.at.Lstat(p.Abs)
	return err != nil
}

// record reports whether a file is a log of what happened on the machine.
func (j *judge) record(p effects.Path) bool {
	switch path.Base(p.Abs) {
	case ".bash_history", ".zsh_history", ".history", ".python_history", "ConsoleHost_history.txt", "fish_history", ".psql_history",
		".mysql_history":
		return true
	}
	for _, dir := range [...]string{"/var/audit", "/var/log/system.log", "/var/log/install.log", "/var/log/kern.log",
		"/var/log/cron", "/var/log/maillog", "/var/log/faillog", "/var/log/tallylog", "/var/log/asl", "/var/log/utx.log",
		"/var/db/diagnostics", "/var/log/daemon.log", "/run/utmp", "/var/log/audit", "/var/log/journal", "/var/log/auth.log",
		"/var/log/secure", "/var/log/syslog", "/var/log/messages", "/var/log/wtmp", "/var/log/btmp", "/var/log/lastlog",
		"/var/run/utmp"} {
		if paths.Within(strings.TrimPrefix(p.Abs, "/private"), dir) {
			return true
		}
	}
	return strings.HasPrefix(p.Abs, "/var/lib/docker/containers/") && strings.HasSuffix(p.Abs, "-json.log")
}

func hookFile(p effects.Path) bool {
	return strings.Contains(p.Abs, "/.git/hooks/") && !strings.HasSuffix(p.Abs, ".sample") || strings.HasSuffix(p.Abs, "/.git/hooks")
}
