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
	first := ""
	if parts := Of(stem); len(parts) > 0 {
		first = parts[0]
	}
	if plain := strings.TrimRight(first, "dx"); watches(plain) { // alertd
		first = plain
	}
	if protects(first) || watches(first) {
		return []string{first}
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
	return slices.ContainsFunc([]string{"firewall", "antivirus", "antimalware", "malware", "selinux", "apparmor", "audit", "encrypt",
		"protect", "safeguard", "intrusion", "tamper"}, func(begin string) bool { return strings.HasPrefix(word, begin) })
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
	case protected && (off(word) || stops(word) || excepts(word) && !slices.ContainsFunc(near, audits)):
		return "security_disabled"
	case (protected || watched) && (off(word) || excepts(word)), watched && stops(word) && slices.Contains(said, "all"),
		(protected || watched) && nothing(word) && slices.Contains(near, "set"), word == "permissive":
		return "cloud_change"
	}
	return ""
}

func nothing(word string) bool {
	return slices.Contains([]string{"0", "none", "never", "unlimited"}, word)
}

// audits reports whether a word is about looking for weak spots, among whose findings there
// are always some to leave out.
func audits(word string) bool { return strings.HasPrefix(word, "audit") }

// option is what the name of an option says, if that takes a protection away:
// --disable-firewall, --no-encryption.
func option(name string) (code string) {
	said := Of(strings.TrimLeft(name, "-"))
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
