package paths

import (
	"path"
	"slices"
	"strings"
)

// Lasts reports whether a file makes something run later by itself, or gives
// somebody access.
func (g *Ground) Lasts(p Path) bool {
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
		"/Library/LaunchAgents/", "/Library/LaunchDaemons/", "/.config/systemd/user/", "/.config/autostart/",
		"/.local/share/systemd/user/", "/usr/lib/systemd/user/", "/.config/autostart-scripts/", "/.config/openbox/autostart",
		"/.config/labwc/autostart", "/.config/lxsession/", "/.config/plasma-workspace/env/",
		"/.config/plasma-workspace/shutdown/", "/.kde/Autostart/", "/.local/share/dbus-1/services/", "/.config/environment.d/",
		"/etc/X11/Xsession.d/", "/systemd/system-generators/", "/etc/network/if-up.d/", "/etc/ppp/ip-up.d/",
		"/etc/kernel/postinst.d/", "/etc/initramfs-tools/", "/usr/share/dbus-1/system-services/", "/etc/xdg/autostart/",
		"/etc/update-motd.d/", "/etc/emond.d/", "/etc/periodic/", "/etc/rc.d/", "/etc/udev/rules.d/", "/etc/modules-load.d/",
		"/etc/modprobe.d/", "/etc/binfmt.d/", "/etc/environment.d/", "/etc/NetworkManager/dispatcher.d/", "/polkit-1/",
		"/etc/dhcp/dhclient-", "/etc/acpi/", "/Library/StartupItems/", "/Library/Security/SecurityAgentPlugins/",
		"/Library/QuickLook/", "/Library/Spotlight/", "/Library/Screen Savers/", "/Library/PreferencePanes/",
		"/Library/Scripts/Folder Action Scripts/", "/Library/ColorPickers/", "/Library/Services/",
		"/Library/Application Scripts/", "/Library/Input Methods/", "/Library/Mail/Bundles/", "/Library/Internet Plug-Ins/",
		"/Library/Audio/Plug-Ins/", "/Library/DirectoryServices/PlugIns/"} {
		if strings.Contains(p.Abs, part) && !Within(p.Abs, g.Project) {
			return true
		}
	}
	return StartsWindows(p.Abs) && !Within(p.Abs, g.Project)
}

// Starts reports whether a file is run by every new shell, or by one of the user's
// programs each time it starts.
func (g *Ground) Starts(abs string) bool {
	if Within(abs, g.Project) && !slices.Contains(g.Homes(), g.Project) {
		return false // dotfiles that somebody keeps in a project
	}
	if StartsPython(abs) && strings.Contains(abs, "-packages/") || Extends(abs) {
		return true
	}
	switch path.Base(abs) {
	case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
		".kshrc", ".cshrc", ".tcshrc", ".login", ".inputrc", "config.fish", ".xprofile", ".xinitrc", ".bash_aliases", ".shrc",
		".mkshrc", ".zlogout", "sitecustomize.py", "usercustomize.py", ".xsession", ".xsessionrc", ".pam_environment",
		".gdbinit", ".lldbinit", ".Rprofile", ".irbrc", "Microsoft.PowerShell_profile.ps1":
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
		".mongoshrc.js", ".pryrc", ".pythonrc", ".pdbrc", ".octaverc", ".guile", ".xbindkeysrc", ".mailcap", ".muttrc",
		".wezterm.lua", ".byebugrc", ".ghci", ".sbclrc", ".ocamlinit", ".hgrc":
		return true
	}
	for _, ending := range [...]string{"/nvim/init.lua", "/nvim/init.vim", "/.vim/vimrc", "/.emacs.d/init.el", "/emacs/init.el",
		"/tmux/tmux.conf", "/i3/config", "/.i3/config", "/sway/config", "/hypr/hyprland.conf", "/bspwm/bspwmrc",
		"/awesome/rc.lua", "/.cargo/config.toml", "/.cargo/config", "/.gradle/init.gradle", "/.julia/config/startup.jl",
		"/.lein/profiles.clj", "/.m2/extensions.xml", "/wezterm/wezterm.lua"} {
		if strings.HasSuffix(abs, ending) {
			return true
		}
	}
	for _, part := range [...]string{"/.gradle/init.d/", "/.vim/plugin/", "/.vim/autoload/", "/nvim/plugin/", "/nvim/lua/",
		"/.ipython/profile_default/startup/", "/.local/share/applications/", "/.sbt/1.0/plugins/", "/fish/functions/",
		"/.oh-my-zsh/custom/"} {
		if strings.Contains(dir, part) {
			return true
		}
	}
	return false
}
