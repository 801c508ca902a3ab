// Package paths knows places. It resolves the words that name them, lists what
// patterns match, and says what a path is: a system tree, somebody's home, the
// project, another repository, git's own data, a raw device, a temporary or a
// built file, a secret. It also knows how a URL names a host.
//
// A path may be a pattern. Then the question is what it could match: /et? is
// /etc, and a pattern that names all children of a tree (~/*, /usr/*) is as
// good as the tree.
package paths

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// AfterScheme is a URL without its scheme.
func AfterScheme(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		return rest
	}
	return url
}

// HostOf returns the host, in lower case, and the port of a URL, whose scheme
// may be left out.
func HostOf(url string) (host, port string) {
	rest := strings.TrimLeft(AfterScheme(url), "/")
	if i := strings.IndexAny(rest, `/?#\`); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if strings.HasPrefix(rest, "[") {
		if end := strings.IndexByte(rest, ']'); end > 0 {
			return strings.ToLower(rest[1:end]), strings.TrimPrefix(rest[end+1:], ":")
		}
	}
	host, port, _ = strings.Cut(rest, ":")
	return strings.ToLower(host), port
}

// RemoteHost returns the host of host:path, [v6]:path or scheme://host/path, ""
// if the word names a file of this machine.
func RemoteHost(w model.Word) string {
	t := w.Text
	if strings.Contains(t, "://") {
		host, _ := HostOf(t)
		return host
	}
	if strings.HasPrefix(t, "[") {
		host, _, _ := strings.Cut(t[1:], "]")
		return host
	}
	host, _, ok := strings.Cut(t, ":")
	if !ok || host == "" || strings.Contains(host, "/") || len(host) == 1 && len(t) > 2 && (t[2] == '\\' || t[2] == '/') {
		return ""
	}
	return host[strings.LastIndexByte(host, '@')+1:]
}

// Programs reports whether a file is in a directory for programs.
func Programs(abs string) bool {
	switch path.Base(path.Dir(abs)) {
	case "bin", "sbin", ".bin", "libexec", "shims", "scripts", "applets":
		return true
	}
	return strings.HasPrefix(abs, "/nix/store/") || strings.HasPrefix(abs, "/usr/") || strings.HasPrefix(abs, "/opt/") ||
		strings.HasPrefix(abs, "/bin/") || strings.Contains(abs, "/Cellar/")
}

// OfSystem reports whether a file belongs to the machine, and not to somebody's
// work.
func OfSystem(abs string) bool {
	for _, dir := range [...]string{"/usr/", "/bin/", "/sbin/", "/etc/", "/opt/", "/dev/", "/lib/", "/nix/", "/snap/", "/Library/",
		"/System/"} {
		if strings.HasPrefix(abs, dir) {
			return true
		}
	}
	return strings.Contains(abs, "/Cellar/") || strings.Contains(abs, "/shims/")
}

// IsLocal reports whether a host is this machine.
func IsLocal(host string) bool {
	switch host {
	case "localhost", "127.0.0.1", "::1", "0.0.0.0", "[::1]", "host.docker.internal":
		return true
	}
	return strings.HasSuffix(host, ".localhost") || strings.HasPrefix(host, "127.") && strings.Trim(host, "0123456789.") == ""
}
