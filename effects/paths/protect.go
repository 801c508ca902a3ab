package paths

import "strings"

// Accounts reports whether a file says who may log in or become root.
func Accounts(abs string) bool {
	abs = strings.TrimPrefix(abs, "/private")
	switch abs {
	case "/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/sudoers", "/etc/doas.conf",
		"/etc/security/access.conf", "/etc/ssh/sshd_config", "/bin/su", "/bin/login", "/usr/bin/sudo", "/usr/bin/su",
		"/usr/bin/passwd", "/usr/bin/login", "/usr/bin/doas", "/usr/sbin/sshd":
		return true
	}
	return strings.HasPrefix(abs, "/etc/sudoers.d/") || strings.HasPrefix(abs, "/etc/pam.d/") ||
		(strings.HasPrefix(abs, "/lib") || strings.HasPrefix(abs, "/usr/")) && strings.Contains(abs, "/security/pam_")
}

// Guards reports whether a file controls what the machine logs, whom it lets in, or
// what programs may see.
func Guards(abs string) bool {
	switch abs = strings.TrimPrefix(abs, "/private"); abs {
	case "/proc/sys/kernel/randomize_va_space", "/proc/sys/kernel/yama/ptrace_scope", "/proc/sys/kernel/sysrq",
		"/etc/selinux/config", "/selinux/enforce", "/sys/fs/selinux/enforce", "/etc/systemd/journald.conf", "/etc/syslog.conf",
		"/etc/rsyslog.conf", "/etc/libaudit.conf", "/etc/auditd.conf", "/etc/hosts.allow", "/etc/hosts.deny", "/etc/pf.conf",
		"/etc/nftables.conf", "/etc/sysctl.conf", "/etc/authorization":
		return true
	}
	for _, dir := range [...]string{"/etc/audit/", "/etc/audisp/", "/etc/security/audit", "/etc/rsyslog.d/", "/etc/ufw/",
		"/etc/firewalld/", "/etc/iptables/", "/etc/apparmor.d/", "/etc/asl/", "/etc/fail2ban/", "/etc/sysctl.d/"} {
		if strings.HasPrefix(abs, dir) {
			return true
		}
	}
	return strings.HasSuffix(abs, "/com.apple.TCC/TCC.db")
}

// PackageSource reports whether a file says where the system gets its packages, or
// whose signature it trusts.
func PackageSource(abs string) bool {
	for _, dir := range [...]string{"/etc/apt/sources.list", "/etc/apt/trusted.gpg", "/etc/apt/keyrings", "/etc/apt/apt-mirrors.txt",
		"/etc/apt/preferences", "/usr/share/keyrings", "/etc/yum.repos.d", "/etc/zypp/repos.d", "/etc/apk/repositories",
		"/etc/apk/keys", "/etc/pacman.d", "/etc/pkg/", "/usr/local/etc/pkg/repos/"} {
		if strings.HasPrefix(abs, dir) {
			return true
		}
	}
	return false
}
