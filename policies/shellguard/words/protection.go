package words

import (
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
	if parts := Of(stem); len(parts) > 0 && protects(parts[0]) {
		return parts[:1]
	}
	return nil
}

// off reports whether a word says that something is not in force any more, stops whether one
// does if a program that protects is meant, and excepts whether it makes an exception.
func off(word string) bool {
	switch word {
	case "disable", "disabled", "off", "deactivate", "unprotect", "bypass", "unlock", "neuter", "kill":
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
	return slices.ContainsFunc([]string{"firewall", "antivirus", "antimalware", "malware", "selinux", "apparmor", "audit", "encrypt", "protect",
		"safeguard", "intrusion", "tamper"}, func(begin string) bool { return strings.HasPrefix(word, begin) })
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

// unprotects is the code for a word that says that what another one next to it names is
// not in force any more.
func unprotects(word, before, behind string) (code string) {
	protected, watched := protects(before) || protects(behind), watches(before) || watches(behind)
	switch {
	case protected && (off(word) || stops(word) || excepts(word) && !strings.HasPrefix(before+behind, "audit")):
		return "security_disabled"
	case (protected || watched) && (off(word) || excepts(word)), watched && stops(word) && (before == "all" || behind == "all"):
		return "cloud_change"
	}
	return ""
}

// option is what the name of an option says, if that takes a protection away:
// --disable-firewall, --no-encryption.
func option(name string) (code string) {
	said := Of(strings.TrimLeft(name, "-"))
	if len(said) < 2 || said[0] != "disable" && said[0] != "bypass" && said[0] != "turn" && said[0] != "without" {
		return ""
	}
	if slices.ContainsFunc(said[1:], protects) || slices.ContainsFunc(said[1:], watches) && slices.Contains(said, "all") {
		return "cloud_change"
	}
	return ""
}
