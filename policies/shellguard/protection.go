package shellguard

import (
	"strings"
)

// protects reports whether a service guards the machine.
func protects(unit string) bool {
	unit = strings.TrimSuffix(strings.ToLower(unit), ".service")
	switch unit {
	case "firewalld", "ufw", "iptables", "nftables", "apparmor", "auditd", "fail2ban", "clamav-daemon", "clamd", "falcon-sensor",
		"crowdstrike", "osqueryd", "wazuh-agent", "windefend", "mpssvc", "rsyslog", "systemd-journald", "sshguard", "selinux-autorelabel":
		return true
	}
	return false
}
