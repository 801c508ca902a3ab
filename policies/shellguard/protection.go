package shellguard

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/programs"
)

// protects reports whether a service, a process or a package guards the machine,
// by its name: auditd, com.crowdstrike.falcond.plist, MsMpEng.exe.
func protects(name string) bool {
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

// unguards judges removing services or packages, or disabling them permanently.
func (j *judge) unguards(i int) {
	w := programs.Parse(&j.set.Runs[i])
	if w.Has("zap") { // what the program keeps in the home directory goes, too
		j.add("deletes_outside", j.line(i))
	}
	if !w.Has("e", "erase", "r", "R", "remove", "P", "purge", "del", "uninstall") && !w.Says("remove", "purge", "erase", "uninstall",
		"autoremove", "del", "delete", "off", "disable", "unload", "rm") {
		return
	}
	for _, o := range w.Operands {
		if protects(o.Text) {
			j.add("security_disabled", j.line(i))
		}
	}
}
