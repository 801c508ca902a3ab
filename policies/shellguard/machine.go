package shellguard

import (
	"strings"
)

// machine judges the programs that act on the machine itself: its rights,
// services, accounts, protections and processes.
func (j *judge) machine(i int) {
	r := &j.set.Runs[i]
	if r.More {
		j.listed(i)
	}
	switch r.Program {
	case "sudo", "doas", "pkexec", "su", "runas", "gsudo", "run0":
		j.add("privilege", r.Program)
	case "chmod", "setcap", "icacls", "install":
		j.permissions(i)
	case "pre-commit", "lefthook", "husky", "overcommit":
		if w := operands(r, ""); w.at(0) == "uninstall" || w.has("--uninstall") {
			j.add("hooks_disabled", j.line(i))
		}
	case "kill", "pkill", "killall", "skill", "taskkill", "stop-process":
		j.kills(i)
	case "systemctl", "service", "rc-service", "launchctl", "sc", "net", "initctl", "sv":
		j.service(i)
	case "shutdown", "reboot", "halt", "poweroff", "init", "telinit", "stop-computer", "restart-computer":
		j.power(i)
	case "useradd", "userdel", "usermod", "adduser", "deluser", "groupdel", "passwd", "chpasswd", "visudo", "chsh", "vipw", "dscl",
		"gpasswd", "newusers":
		j.account(i)
	case "crontab", "at", "batch", "schtasks":
		j.schedule(i)
	case "setenforce", "csrutil", "spctl", "ufw", "iptables", "ip6tables", "nft", "aa-teardown", "aa-disable", "auditctl",
		"set-mppreference", "netsh", "firewall-cmd", "pfctl", "fdesetup", "bcdedit", "tccutil", "sysctl":
		j.protection(i)
	case "history", "wevtutil", "journalctl", "unset", "clear-eventlog", "clear-history":
		j.tracks(i)
	case "vssadmin", "wbadmin", "diskpart", "format", "cipher", "clear-disk", "format-volume", "initialize-disk", "remove-partition",
		"diskutil", "cryptsetup":
		j.storage(i)
	case "get-childitem", "gci", "dir":
		j.listedWindows(i)
	case "reg":
		j.registry(i)
	case "remove-item", "ri", "rd", "rmdir", "del", "erase":
		j.windowsDelete(i)
	case "killall5":
		j.add("kills_session", r.Program)
	case "loginctl":
		if w := operands(r, ""); strings.HasPrefix(w.at(0), "terminate-") || strings.HasPrefix(w.at(0), "kill-") {
			j.add("kills_session", j.line(i))
		}
	case "insmod", "rmmod", "modprobe", "kexec":
		j.add("system_file", j.line(i))
	case "rm", "shred", "mkfs", "dd":
		j.elsewhere(i)
	default:
		if strings.HasPrefix(r.Program, "mkfs.") {
			j.elsewhere(i)
		}
	}
}

// service judges the services of the machine.
func (j *judge) service(i int) {
	r := &j.set.Runs[i]
	w := operands(r, " -H --host -M --machine -t --type -p --property -n --lines -o --output --signal ")
	if w.helps() {
		return
	}
	verb, unit := w.at(0), w.at(1)
	if r.Program == "service" || r.Program == "rc-service" {
		verb, unit = unit, verb
	}
	switch verb {
	case "poweroff", "reboot", "halt", "kexec", "soft-reboot", "suspend", "hibernate", "rescue", "emergency":
		j.add("stops_machine", j.line(i))
	case "stop", "disable", "mask", "kill", "bootout", "unload", "remove", "down":
		if protects(unit) {
			j.add("security_disabled", j.line(i))
		} else if r.Program != "net" || verb == "stop" {
			j.add("service_stop", j.line(i))
		}
	case "load", "bootstrap", "submit":
		if r.Program == "launchctl" {
			j.add("persistence", j.line(i))
		}
	case "create":
		if r.Program == "sc" {
			j.add("persistence", j.line(i))
		}
	case "user", "localgroup":
		if r.Program == "net" && len(w.args) > 2 {
			j.add("changes_accounts", j.line(i))
		}
	}
}

func (j *judge) power(i int) {
	r := &j.set.Runs[i]
	w := operands(r, "")
	switch {
	case !strings.HasSuffix(r.Program, "-computer") && w.has("--help", "-c", "-k", "--show", "/a"), (r.Program == "init" ||
		r.Program == "telinit") && w.at(0) != "0" && w.at(0) != "6" && w.at(0) != "1":
	default:
		j.add("stops_machine", j.line(i))
	}
}

func (j *judge) account(i int) {
	w := operands(&j.set.Runs[i], "")
	if w.has("--help", "--status", "-S", "--version", "--check", "-V") || j.set.Runs[i].Program == "visudo" && w.has("-c") {
		return
	}
	if j.set.Runs[i].Program == "dscl" && !contains(w.list, "-delete") && !contains(w.list, "-create") && !contains(w.list, "-passwd") &&
		!w.has("-delete", "-create", "-passwd", "-append") {
		return
	}
	j.add("changes_accounts", j.line(i))
}

func (j *judge) schedule(i int) {
	r := &j.set.Runs[i]
	w := operands(r, " -u -q -f -t ")
	switch r.Program {
	case "crontab":
		switch {
		case w.has("-r"):
			j.add("persistence", j.line(i))
		case len(w.list) > 0 && !w.has("-l", "-T"):
			j.add("persistence", j.line(i))
		case len(w.args) == 0 && (r.Input != nil || r.From >= 0):
			j.add("persistence", j.line(i))
		}
	case "schtasks":
		if w.has("/create", "/Create", "/delete", "/Delete") || contains(w.list, "/create") || contains(w.list, "/delete") {
			j.add("persistence", j.line(i))
		}
	default:
		if !w.has("-l", "-c", "-V", "-r", "-d") {
			j.add("persistence", j.line(i))
		}
	}
}
