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

// protection judges what guards the machine against others.
func (j *judge) protection(i int) {
	r := &j.set.Runs[i]
	w := operands(r, " -t --table -w ")
	off := false
	switch r.Program {
	case "setenforce":
		off = w.at(0) == "0" || strings.EqualFold(w.at(0), "permissive")
	case "csrutil", "ufw", "fdesetup":
		off = w.at(0) == "disable" || w.at(0) == "reset" || contains(w.list, "disable")
	case "spctl":
		off = w.has("--master-disable", "--global-disable", "--disable")
	case "iptables", "ip6tables":
		policy, sets := w.value("-P", "--policy")
		off = w.has("-F", "--flush", "-X", "--delete-chain") || sets && policy != "" && contains(w.list, "ACCEPT")
	case "nft":
		off = w.at(0) == "flush" || w.at(0) == "delete" && w.at(1) == "table"
	case "aa-teardown", "aa-disable":
		off = true
	case "auditctl":
		v, ok := w.value("-e")
		off = ok && v == "0" || w.has("-D")
	case "set-mppreference":
		for _, a := range r.Args {
			off = off || strings.HasPrefix(strings.ToLower(a.Text), "-disable") || strings.HasPrefix(strings.ToLower(a.Text), "-exclusion")
		}
	case "netsh":
		off = contains(w.list, "off") || contains(w.list, "disable") || contains(w.list, "reset")
	case "firewall-cmd":
		off = w.has("--panic-off") || contains(w.list, "trusted")
	case "pfctl":
		off = w.has("-d") || w.has("-F")
	case "bcdedit":
		off = len(w.args) > 1
	case "tccutil":
		off = w.at(0) == "reset"
	case "sysctl":
		for _, a := range r.Args {
			off = off || a.Text == "kernel.randomize_va_space=0" || a.Text == "kernel.yama.ptrace_scope=0" || a.Text == "kernel.sysrq=1"
		}
	}
	if off && !w.has("--help", "--dry-run") {
		j.add("security_disabled", j.line(i))
	}
}

// tracks judges what removes the record of a session.
func (j *judge) tracks(i int) {
	r := &j.set.Runs[i]
	w := operands(r, "")
	switch r.Program {
	case "history":
		if w.has("-c", "-d", "--clear") {
			j.add("covers_tracks", j.line(i))
		}
	case "unset":
		if contains(w.list, "HISTFILE") {
			j.add("covers_tracks", j.line(i))
		}
	case "wevtutil":
		if verb := w.at(0); verb == "cl" || verb == "clear-log" {
			j.add("covers_tracks", j.line(i))
		}
	case "journalctl":
		for _, a := range r.Args {
			if strings.HasPrefix(a.Text, "--vacuum-") {
				j.add("covers_tracks", j.line(i))
			}
		}
	default:
		j.add("covers_tracks", j.line(i))
	}
}

// storage judges what is known by a verb and not by a device.
func (j *judge) storage(i int) {
	r := &j.set.Runs[i]
	w := operands(r, "")
	verb := strings.ToLower(w.at(0))
	switch r.Program {
	case "vssadmin", "wbadmin":
		if verb == "delete" || verb == "resize" {
			j.add("storage_destroy", j.line(i))
		}
	case "diskpart", "clear-disk", "format-volume", "initialize-disk", "remove-partition":
		j.add("storage_destroy", j.line(i))
	case "format":
		if len(verb) > 1 && verb[1] == ':' {
			j.add("storage_destroy", j.line(i))
		}
	case "diskutil":
		switch verb {
		case "erasedisk", "erasevolume", "reformat", "partitiondisk", "zerodisk", "randomdisk", "secureerase", "deletevolume":
			j.add("storage_destroy", j.line(i))
		case "apfs":
			if strings.HasPrefix(strings.ToLower(w.at(1)), "delete") || strings.HasPrefix(strings.ToLower(w.at(1)), "erase") {
				j.add("storage_destroy", j.line(i))
			}
		}
	case "cryptsetup":
		// It asks for a confirmation unless it is told not to.
		if (verb == "erase" || verb == "luksformat" || verb == "luksremovekey" || verb == "reencrypt") && w.has("-q", "--batch-mode") {
			j.add("storage_destroy", j.line(i))
		}
	}
}
