package words

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/programs/optnames"
)

// named is what the name of an unknown program says that is done, and to what: edrctl,
// guardoff, av-tool.
func named(program string) (said []string) {
	stem := optnames.Stem(program)
	for _, verb := range [...]string{"off", "disable", "bypass", "killer"} {
		if what, ok := strings.CutSuffix(stem, verb); ok && protects(strings.Trim(what, "-_")) {
			return []string{strings.Trim(what, "-_"), "off"}
		}
	}
	first := ""
	if parts := Of(stem); len(parts) > 0 {
		first = parts[0]
	}
	if plain := strings.TrimRight(first, "dx"); watches(plain) { // alertd
		first = plain
	}
	for _, end := range [...]string{"guard", "shield", "fw", "firewall"} { // branchguard, ufwx
		if strings.HasSuffix(stem, end) || strings.HasSuffix(strings.TrimRight(stem, "dx"), end) {
			first = "firewall"
		}
	}
	switch {
	case Guards(program), strings.HasPrefix(program, "clam"):
		return []string{"antivirus"}
	case protects(first), watches(first):
		return []string{first}
	}
	return nil
}

// off reports whether a word says that something is not in force any more, stops whether one
// does if a program that protects is meant, and excepts whether it makes an exception.
func off(word string) bool {
	switch word {
	case "disable", "disabled", "off", "deactivate", "unprotect", "bypass", "neuter", "kill":
		return true
	}
	return false
}

func stops(word string) bool {
	switch word {
	case "stop", "pause", "suspend", "unload", "uninstall", "detach", "permissive":
		return true
	}
	return false
}

func excepts(word string) bool {
	switch strings.TrimSuffix(word, "s") {
	case "exclude", "exclusion", "exempt", "exemption", "whitelist", "allowlist", "exception", "skip", "mute", "silence", "snooze", "relax":
		return true
	}
	return false
}

// protects reports whether a word names what protects people or machines.
func protects(word string) bool {
	switch word {
	case "fw", "av", "edr", "xdr", "waf", "ids", "ips", "hids", "dlp", "siem", "mfa", "2fa", "totp", "otp", "rls", "guard", "guardrail",
		"guardrails", "shield", "defender", "gatekeeper", "quarantine", "lockdown", "seccomp":
		return true
	}
	return slices.ContainsFunc([]string{"firewall", "antivirus", "antimalware", "malware", "selinux", "apparmor", "audit", "encrypt",
		"protect", "safeguard", "intrusion", "tamper"}, func(begin string) bool { return strings.HasPrefix(word, begin) })
}

// Guards reports whether a service, a process or a package guards the machine,
// by its name: auditd, com.crowdstrike.falcond.plist, MsMpEng.exe.
func Guards(name string) bool {
	name = path.Base(strings.ReplaceAll(strings.ToLower(name), `\`, "/"))
	for _, ending := range [...]string{".service", ".socket", ".plist", ".exe", "*"} {
		name = strings.TrimSuffix(name, ending)
	}
	switch name {
	case "ufw", "sense", "mpssvc", "wscsvc", "eventlog", "clamd", "aide", "snort", "falco", "mrt", "lulu", "santa", "santad", "sav",
		"ds_agent":
		return true
	}
	for _, part := range [...]string{"firewall", "iptables", "nftables", "apparmor", "selinux", "auditd", "audit-daemon", "fail2ban",
		"sshguard", "clamav", "freshclam", "falcon", "crowdstrike", "osquery", "wazuh", "ossec", "windefend", "defender", "mdatp", "wdav",
		"msmpeng", "syslog", "journald", "sysmon", "sentinel", "carbonblack", "cbdaemon", "cbagent", "littlesnitch", "jamf", "kandji",
		"sophos", "mcafee", "symantec", "kaspersky", "cylance", "tanium", "suricata", "tripwire", "rkhunter", "xprotect", "syspolicyd",
		"endpointsecurity", "elastic-agent", "elastic-endpoint", "auditbeat", "filebeat", "splunk", "fluentd", "amazon-ssm-agent"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// watches reports whether a word names what tells people about harm, or keeps a way back.
func watches(word string) bool {
	switch strings.TrimSuffix(word, "s") {
	case "alert", "alarm", "monitor", "monitoring", "logging", "backup", "retention", "versioning", "approval", "review", "captcha",
		"ratelimit", "signing", "watchdog", "detection", "sandbox", "detector", "tls", "verify", "verification", "hook", "scanning":
		return true
	}
	return false
}

// unprotects is the code for the word at a place that says that what another one near it
// names is not in force any more.
func unprotects(said []string, at int) (code string) {
	word, near := said[at], said[max(0, at-2):min(len(said), at+2)]
	protected, watched := slices.ContainsFunc(near, protects), slices.ContainsFunc(near, watches)
	switch {
	case protected && (off(word) || stops(word)), excepts(word) && slices.ContainsFunc(near, scans):
		return "security_disabled"
	case (protected || watched) && (off(word) || excepts(word)), watched && stops(word) && slices.Contains(said, "all"),
		(protected || watched) && nothing(word) && slices.Contains(near, "set"), word == "permissive":
		return "cloud_change"
	case slices.ContainsFunc(said, protects) && (word == "incoming" || word == "inbound" || word == "any") && slices.Contains(near, "allow"):
		return "exposes"
	}
	return ""
}

func nothing(word string) bool {
	return slices.Contains([]string{"0", "none", "never", "unlimited"}, word)
}

// scans reports whether a word names what looks for harm in files: what it leaves out, it
// does not see.
func scans(word string) bool {
	switch word {
	case "av", "edr", "xdr", "defender":
		return true
	}
	return strings.Contains(word, "malware") || strings.HasPrefix(word, "antivirus")
}

// audits reports whether a word is about looking for weak spots, among whose findings there
// are always some to leave out.
func audits(word string) bool { return strings.HasPrefix(word, "audit") }

// option is what an option says, if that takes a protection away: --disable-firewall,
// --no-encryption, --enforce=off.
func option(name, value string) (code string) {
	said := Of(strings.TrimLeft(name, "-"))
	if optnames.Negative(value) && slices.ContainsFunc(said, func(word string) bool { return protects(word) || word == "enforce" }) {
		return "cloud_change"
	}
	if len(said) < 2 || !slices.Contains([]string{"disable", "bypass", "turn", "without", "no"}, said[0]) {
		return ""
	}
	if said[0] == "no" && slices.ContainsFunc(said, audits) {
		return ""
	}
	if slices.ContainsFunc(said[1:], protects) || slices.ContainsFunc(said[1:], watches) && slices.Contains(said, "all") {
		return "cloud_change"
	}
	return ""
}
