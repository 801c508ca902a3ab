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

// lasts reports whether a file makes something run later by itself, or gives
// somebody access.
func (j *judge) lasts(p effects.Path) bool {
	dir, name := path.Split(p.Abs)
	if strings.HasSuffix(dir, "/.ssh/") {
		return name == "authorized_keys" || name == "authorized_keys2" || name == "rc"
	} else if name == "release_agent" { // of a control group: the kernel runs it
		return true
	}
	switch p.Abs {
	case "/etc/crontab", "/etc/rc.local", "/etc/rc.common", "/etc/ld.so.preload", "/etc/anacrontab", "/etc/modules", "/etc/inittab",
		"/etc/launchd.conf", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/fs/binfmt_misc/register":
		return true
	}
	for _, part := range [...]string{"/etc/cron.", "/var/spool/cron/", "/etc/systemd/user/", "/etc/init.d/", "/etc/profile.d/",
		"/Library/LaunchAgents/",
		"/Library/LaunchDaemons/", "/.config/systemd/user/", "/.config/autostart/", "/.local/share/systemd/user/",
		"/usr/lib/systemd/user/", "/.config/autostart-scripts/",
		"/.config/openbox/autostart", "/.config/labwc/autostart", "/.config/lxsession/", "/.config/plasma-workspace/env/",
		"/.config/plasma-workspace/shutdown/", "/.kde/Autostart/", "/.local/share/dbus-1/services/", "/.config/environment.d/",
		"/etc/X11/Xsession.d/", "/systemd/system-generators/", "/etc/network/if-up.d/", "/etc/ppp/ip-up.d/", "/etc/kernel/postinst.d/",
		"/etc/initramfs-tools/", "/usr/share/dbus-1/system-services/", "/etc/xdg/autostart/", "/etc/update-motd.d/",
		"/etc/emond.d/", "/etc/periodic/", "/etc/rc.d/", "/etc/udev/rules.d/", "/etc/modules-load.d/", "/etc/modprobe.d/",
		"/etc/binfmt.d/",
		"/etc/environment.d/", "/etc/NetworkManager/dispatcher.d/", "/polkit-1/",
		"/etc/dhcp/dhclient-", "/etc/acpi/", "/Library/StartupItems/", "/Library/Security/SecurityAgentPlugins/", "/Library/QuickLook/",
		"/Library/Spotlight/", "/Library/Screen Savers/", "/Library/PreferencePanes/", "/Library/Scripts/Folder Action Scripts/",
		"/Library/ColorPickers/", "/Library/Services/", "/Library/Application Scripts/", "/Library/Input Methods/",
		"/Library/Mail/Bundles/",
		"/Library/Internet Plug-Ins/", "/Library/Audio/Plug-Ins/", "/Library/DirectoryServices/PlugIns/"} {
		if strings.Contains(p.Abs, part) && !paths.Within(p.Abs, j.ground.Project) {
			return true
		}
	}
	return paths.StartsWindows(p.Abs) && !paths.Within(p.Abs, j.ground.Project)
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

// startup reports whether a file is run by every new shell, or by one of the user's
// programs each time it starts.
func (j *judge) startup(abs string) bool {
	if paths.Within(abs, j.ground.Project) && !slices.Contains(j.ground.Homes(), j.ground.Project) {
		return false // dotfiles that somebody keeps in a project
	}
	if paths.StartsPython(abs) && strings.Contains(abs, "-packages/") || paths.Extends(abs) {
		return true
	}
	switch path.Base(abs) {
	case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".kshrc",
		".cshrc", ".tcshrc", ".login", ".inputrc", "config.fish", ".xprofile", ".xinitrc", ".bash_aliases", ".shrc", ".mkshrc",
		".zlogout",
		"sitecustomize.py", "usercustomize.py", ".xsession", ".xsessionrc", ".pam_environment", ".gdbinit", ".lldbinit",
		".Rprofile", ".irbrc",
		"Microsoft.PowerShell_profile.ps1":
		return true
	}
	return ranAtStart(abs) || abs == "/etc/profile" || abs == "/etc/bash.bashrc" || abs == "/etc/zshrc" ||
		abs == "/etc/environment" || abs == "/etc/zsh/zshrc"
}

// ranAtStart reports whether a file of the user contains commands that a program
// other than a shell runs each time it starts.
func ranAtStart(abs string) bool {
	dir, name := path.Split(abs)
	switch name {
	case ".vimrc", ".gvimrc", ".exrc", ".emacs", ".tmux.conf", ".screenrc", ".psqlrc", ".sqliterc", ".mongorc.js",
		".mongoshrc.js", ".pryrc",
		".pythonrc", ".pdbrc", ".octaverc", ".guile", ".xbindkeysrc", ".mailcap", ".muttrc", ".wezterm.lua", ".byebugrc",
		".ghci", ".sbclrc",
		".ocamlinit", ".hgrc":
		return true
	}
	for _, ending := range [...]string{"/nvim/init.lua", "/nvim/init.vim", "/.vim/vimrc", "/.emacs.d/init.el", "/emacs/init.el",
		"/tmux/tmux.conf",
		"/i3/config", "/.i3/config", "/sway/config", "/hypr/hyprland.conf", "/bspwm/bspwmrc", "/awesome/rc.lua", "/.cargo/config.toml",
		"/.cargo/config", "/.gradle/init.gradle", "/.julia/config/startup.jl", "/.lein/profiles.clj", "/.m2/extensions.xml",
		"/wezterm/wezterm.lua"} {
		if strings.HasSuffix(abs, ending) {
			return true
		}
	}
	for _, part := range [...]string{"/.gradle/init.d/", "/.vim/plugin/", "/.vim/autoload/", "/nvim/plugin/", "/nvim/lua/",
		"/.ipython/profile_default/startup/",
		"/.local/share/applications/", "/.sbt/1.0/plugins/", "/fish/functions/", "/.oh-my-zsh/custom/"} {
		if strings.Contains(dir, part) {
			return true
		}
	}
	return false
}

// record reports whether a file is a log of what happened on the machine.
func (j *judge) record(p effects.Path) bool {
	switch path.Base(p.Abs) {
	case ".bash_history", ".zsh_history", ".history", ".python_history", "ConsoleHost_history.txt", "fish_history", ".psql_history",
		".mysql_history":
		return true
	}
	for _, dir := range [...]string{"/var/audit", "/var/log/system.log", "/var/log/install.log", "/var/log/kern.log", "/var/log/cron",
		"/var/log/maillog", "/var/log/faillog", "/var/log/tallylog", "/var/log/asl", "/var/log/utx.log", "/var/db/diagnostics",
		"/var/log/daemon.log", "/run/utmp", "/var/log/audit", "/var/log/journal", "/var/log/auth.log", "/var/log/secure",
		"/var/log/syslog",
		"/var/log/messages", "/var/log/wtmp", "/var/log/btmp", "/var/log/lastlog", "/var/run/utmp"} {
		if paths.Within(strings.TrimPrefix(p.Abs, "/private"), dir) {
			return true
		}
	}
	return strings.HasPrefix(p.Abs, "/var/lib/docker/containers/") && strings.HasSuffix(p.Abs, "-json.log")
}

func hookFile(p effects.Path) bool {
	return strings.Contains(p.Abs, "/.git/hooks/") && !strings.HasSuffix(p.Abs, ".sample") || strings.HasSuffix(p.Abs, "/.git/hooks")
}
