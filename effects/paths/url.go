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
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// AfterScheme is a URL without its scheme. Browsers and Node need no slashes for those of the
// web, and take \ for /.
func AfterScheme(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		return rest
	}
	if scheme, rest, ok := strings.Cut(url, ":"); ok && IsWeb(scheme) && rest != "" && (rest[0] < '0' || rest[0] > '9') {
		return strings.TrimLeft(rest, `/\`)
	}
	return url
}

// IsWeb reports whether a scheme is one whose addresses always have a host.
func IsWeb(scheme string) bool {
	switch strings.ToLower(scheme) {
	case "http", "https", "ws", "wss", "ftp":
		return true
	}
	return false
}

// withoutBreaks removes what programs skip in an address: line breaks and tabs, and blanks around it.
func withoutBreaks(url string) string {
	url = strings.TrimFunc(url, func(r rune) bool { return r <= ' ' })
	if !strings.ContainsAny(url, "\t\r\n") {
		return url
	}
	return strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(url)
}

// HostOf returns the host, in lower case, and the port of a URL, whose scheme
// may be left out.
func HostOf(url string) (host, port string) {
	rest := strings.TrimLeft(AfterScheme(withoutBreaks(url)), `/\`)
	if i := strings.IndexAny(rest, `/?#\`); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if rest = decoded(rest); strings.HasPrefix(rest, "[") {
		if end := strings.IndexByte(rest, ']'); end > 0 {
			return strings.ToLower(rest[1:end]), strings.TrimPrefix(rest[end+1:], ":")
		}
	}
	if strings.Count(rest, ":") > 1 { // a bare v6 address
		return strings.ToLower(rest), ""
	}
	host, port, _ = strings.Cut(rest, ":")
	return strings.ToLower(host), port
}

// OfAddress is the file that an address names: file:///x, FILE://localhost/x, file:x.
// Whoever takes such an address decodes it, and many take \ for /.
func OfAddress(address string) (name string, ok bool) {
	const scheme = "file:"
	address = strings.TrimSpace(address)
	if len(address) <= len(scheme) || !strings.EqualFold(address[:len(scheme)], scheme) {
		return "", false
	}
	name, local := strings.CutPrefix(strings.ReplaceAll(address[len(scheme):], `\`, "/"), "//")
	for _, host := range [...]string{"localhost/", "127.0.0.1/"} {
		if local && len(name) >= len(host) && strings.EqualFold(name[:len(host)], host) {
			name = name[len(host)-1:]
		}
	}
	if end := strings.IndexAny(name, "?#"); end > 0 {
		name = name[:end]
	}
	return decoded(name), name != "" && name[0] != ' ' // a text that begins with "file: "
}

// decoded is a part of an address without percent signs: a%2Eb is a.b.
func decoded(name string) string {
	if !strings.Contains(name, "%") {
		return name
	}
	out := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		b := name[i]
		if b == '%' && i+2 < len(name) {
			if code, err := strconv.ParseUint(name[i+1:i+3], 16, 8); err == nil {
				b, i = byte(code), i+2
			}
		}
		out = append(out, b)
	}
	return string(out)
}

// HostOfWord returns host and port of a URL. Only its path may be unknown.
func HostOfWord(w model.Word) (host, port string) {
	if w.Known {
		return HostOf(w.Text)
	}
	name, rest, _ := strings.Cut(strings.TrimLeft(AfterScheme(w.Text), "/"), "/")
	if sum, ok := strings.CutSuffix(name, "))"); ok { // a port that is reckoned out: localhost:$((8000+i))
		if host, sum, ok := strings.Cut(sum, ":$(("); ok && !strings.ContainsAny(host+sum, "$`():@") {
			return strings.ToLower(host), ""
		}
	}
	if rest == "" || strings.ContainsAny(name, "$`(") {
		return "", ""
	}
	return HostOf(name)
}

// InStore reports whether a word names a place in a store of objects: s3://b/k,
// gs://b/k, remote:path.
func InStore(w model.Word) bool { return strings.Contains(w.Text, "://") || RemoteHost(w) != "" }

// RemoteHost returns the host of host:path, [v6]:path or scheme://host/path, ""
// if the word names a file of this machine. C:/x is one of Windows.
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
	if !ok || host == "" || strings.Contains(host, "/") || len(host) == 1 && len(t) > 2 && (t[2] == '\\' || t[2] == '/' && t[0] <= 'Z') {
		return ""
	}
	return host[strings.LastIndexByte(host, '@')+1:]
}

// SameRemote reports whether git's setting url.BASE.insteadOf, with this value,
// still leads to the same place: it only adds a login or changes the protocol.
// BASE may have a secret variable as its user, but nothing else unknown.
func SameRemote(key string, value model.Word) bool {
	base, ok := strings.CutPrefix(key, "url.")
	end := strings.LastIndexByte(base, '.')
	if name := strings.ToLower(base[end+1:]); !ok || end < 0 || !value.Known || name != "insteadof" && name != "pushinsteadof" {
		return false
	}
	user, to, ok := remotePlace(base[:end])
	_, from, known := remotePlace(value.Text)
	return ok && known && to == from && logsIn(user) && !plainProtocol(base)
}

// SamePlace reports whether two git addresses lead to the same place, perhaps with
// different logins.
func SamePlace(address, known string) bool {
	user, to, ok := remotePlace(address)
	_, place, valid := remotePlace(known)
	bare := func(text string) string { return strings.TrimSuffix(strings.TrimSuffix(text, "/"), ".git") }
	return address == known || ok && valid && bare(to) == bare(place) && logsIn(user) && !plainProtocol(address)
}

// plainProtocol reports whether everybody on the way can read and change what goes to
// an address.
func plainProtocol(address string) bool {
	return strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "git://")
}

// logsIn reports whether the user of an address is a name, a secret of the environment,
// or both, and cannot be more than that.
func logsIn(user string) bool {
	for part := range strings.SplitSeq(user, ":") {
		name, variable := strings.CutPrefix(part, "$")
		if variable && !model.SecretVariable(strings.ToUpper(strings.Trim(name, "{}"))) || strings.ContainsFunc(name, unusual) {
			return false
		}
	}
	return true
}

// unusual are the signs that a name with which one logs in does not have.
func unusual(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-._{}", r)
}

// remotePlace takes an address of git apart: git@host:path is host/path.
func remotePlace(text string) (user, place string, ok bool) {
	scheme, rest, url := strings.Cut(text, "://")
	if !url {
		if rest = text; strings.Count(rest, ":") != 1 || strings.Contains(rest[:strings.IndexByte(rest, ':')], "/") {
			return "", "", false
		}
		scheme, rest = "ssh", strings.Replace(rest, ":", "/", 1)
	}
	host, path, slash := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		user, host = host[:at], host[at+1:]
	}
	if slash {
		path = "/" + path
	}
	switch scheme {
	case "https", "http", "ssh", "git", "git+ssh":
		return user, strings.ToLower(host) + path, host != "" && !strings.ContainsAny(host+path, ":$%?#@")
	}
	return "", "", false
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

// OfSystem reports whether a file came with the machine or with a package, and is not
// somebody's work: /opt/tool/bin/x, but neither /opt/tool/x nor what is in the project.
func OfSystem(abs, project string) bool {
	if project != "" && Within(abs, project) || strings.HasPrefix(abs, "/usr/src/") || strings.HasPrefix(abs, "/usr/local/src/") {
		return false
	}
	for _, dir := range [...]string{"/usr/", "/bin/", "/sbin/", "/lib/", "/nix/", "/snap/", "/Library/", "/System/"} {
		if strings.HasPrefix(abs, dir) {
			return true
		}
	}
	if strings.HasPrefix(abs, "/opt/") {
		switch path.Base(path.Dir(abs)) {
		case "bin", "sbin", "libexec":
			return true
		}
	}
	if before, _, ok := strings.Cut(abs, "/shims/"); ok { // ~/.pyenv/shims, ~/.local/share/mise/shims
		return strings.Contains(before, "/.")
	}
	return strings.HasPrefix(abs, "/home/linuxbrew/")
}
