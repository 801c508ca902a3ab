// Package hosts knows addresses that matter to shell-guard: of installers and releases.
package hosts

import (
	_ "embed"
	"strings"
)

// installers lists where well-known projects publish their install scripts: a
// host, or a host and the beginning of a path.
//
//go:embed installers.txt
var installers string

// Installer reports whether an address is in installers. A commit of a repository
// does not count: GitHub also serves those of everybody's forks there.
func Installer(url string) bool { return listed(url) && !ofCommit(url) }

func listed(url string) bool {
	rest, secure := strings.CutPrefix(url, "https://")
	if host, _, _ := strings.Cut(rest, "/"); !secure || strings.ContainsAny(host, "@:$") || strings.Contains(rest, "..") {
		return false
	}
	for line := range strings.Lines(installers) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && strings.HasPrefix(rest+"/", line) {
			return true
		}
	}
	return false
}

// ofCommit reports whether an address names a commit, or a version that is unknown,
// of a file at GitHub.
func ofCommit(url string) bool {
	rest, raw := strings.CutPrefix(url, "https://raw.githubusercontent.com/")
	parts := strings.Split(rest, "/")
	if !raw || len(parts) < 3 {
		return false
	}
	version := parts[2]
	return strings.Contains(version, "$") || len(version) > 6 && strings.Trim(version, "0123456789abcdefABCDEF") == ""
}

// Owner is the account whose repository an address at GitHub is of, "" if it names a commit,
// because those of everybody's forks are there, too.
func Owner(url string) string {
	rest, raw := strings.CutPrefix(url, "https://raw.githubusercontent.com/")
	owner, _, _ := strings.Cut(rest, "/")
	if !raw || ofCommit(url) || strings.ContainsAny(owner, "@:$") || strings.Contains(rest, "..") {
		return ""
	}
	return owner
}

// Sums reports whether a list of checksums has one of at least 256 bits for a file.
func Sums(list, file string) bool {
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		if len(words) == 2 && len(words[0]) >= 64 && strings.Trim(words[0], "0123456789abcdefABCDEF") == "" &&
			strings.TrimPrefix(words[1][strings.LastIndexByte(words[1], '/')+1:], "*") == file {
			return true
		}
	}
	return false
}

// Release reports whether an address is that of a project's release. Most people
// run those, although anybody can publish one.
func Release(url string) bool {
	rest, ok := strings.CutPrefix(url, "https://github.com/")
	return listed(url) && ofCommit(url) || ok && !strings.Contains(rest, "..") &&
		(strings.Contains(rest, "/releases/download/") || strings.Contains(rest, "/releases/latest/download/"))
}
