package names

import (
	"strings"
	"unicode"

	"github.com/trammel-dev/trammel/internal/strict"
)

// URL says how a URL deceives about the host that it leads to, or about its
// path.
func URL(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return Host(url)
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority := rest[:end]
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		user, _, _ := strings.Cut(authority[:at], ":")
		if browsed(scheme) && (strings.ContainsAny(authority[:at], `\`) || seemsHost(user)) {
			return "seems to lead to " + user + ", which is only the name of a user: it leads to " + authority[at+1:]
		}
		authority = authority[at+1:]
	}
	if strings.HasPrefix(authority, "[") {
		return ""
	}
	host, _, _ := strings.Cut(authority, ":")
	if strings.IndexByte(host, '\\') >= 0 {
		return "has a backslash in its host, which programs read differently"
	}
	if why := Host(host); why != "" {
		return why
	}
	return Word(rest[end:])
}

// browsed knows schemes in which nobody logs in by a user that has a dot.
func browsed(scheme string) bool {
	switch strings.ToLower(strings.TrimPrefix(scheme, "git+")) {
	case "http", "https", "ftp", "ws", "wss":
		return true
	}
	return false
}

// seemsHost reports whether a user's name looks like that of a host.
func seemsHost(user string) bool {
	user, _, _ = strings.Cut(strings.ToLower(user), "%2f")
	i := strings.LastIndexByte(user, '.')
	if i < 0 {
		return strings.Contains(user, "%2e") || strings.ContainsFunc(user, isSlash)
	}
	switch user[i+1:] {
	case "com", "org", "net", "io", "dev", "sh", "rs", "co", "edu", "gov", "app", "ai", "me", "cloud":
		return true
	}
	return strings.ContainsFunc(user, isSlash)
}

// Host says how the name of a host deceives.
func Host(host string) string {
	host = strings.TrimSuffix(host, ".")
	if strings.ContainsAny(host, "$`*{}<>") {
		return "" // it is not known
	}
	if why := Hidden(host); why != "" {
		return why
	}
	if len(host) > 2 && host[0] == '%' && host[1] >= 'A' && strings.IndexByte(host[1:], '%') == len(host)-2 {
		return "" // %HOST%, a variable of cmd
	}
	if strings.IndexByte(host, '%') >= 0 {
		return "is written with escapes"
	}
	if strict.ASCII(host) {
		return asciiHost(strings.ToLower(host))
	}
	for _, r := range host {
		if isDot(r) || isSlash(r) || strict.Alike(r) != 0 && !unicode.IsLetter(r) || r >= '！' && r <= '～' {
			return "has " + codepoint(r) + ", which looks like " + string(plain(r))
		}
	}
	labels := strings.Split(strings.ToLower(host), ".")
	for _, label := range labels {
		if why := scripts(label, strict.ASCII(labels[len(labels)-1])); why != "" {
			return why
		}
	}
	if as := fold(host); famousHost(as) {
		return "looks like " + as
	}
	return ""
}

// asciiHost judges a name that has only letters of ASCII, as it is sent.
func asciiHost(host string) string {
	if host == "" || isFamous(host) {
		return ""
	}
	if oddAddress(host) {
		return "is an address that is written so that it is not recognised"
	}
	labels := strings.Split(host, ".")
	encoded := false
	for i, label := range labels {
		if code, ok := strings.CutPrefix(label, "xn--"); ok {
			name, ok := FromPunycode(code)
			if !ok || strings.HasPrefix(name, "xn--") {
				return "has a part that cannot be read: " + label
			}
			labels[i], encoded = name, true
		}
	}
	if encoded {
		if why := Host(strings.Join(labels, ".")); why != "" {
			return "is " + strings.Join(labels, ".") + ", which " + why
		}
		return ""
	}
	if last := host[strings.LastIndexByte(host, '.')+1:]; last == "zip" || last == "mov" {
		return "ends like a file, and is a host"
	}
	return seems(host)
}

// scripts judges the letters of one part of a name: no language mixes these
// alphabets, and where all letters of a word look Latin it is meant to.
func scripts(label string, below bool) string {
	latin, alike, others := false, true, ""
	for _, r := range label {
		switch {
		case r < 0x80 && !isLetter(byte(r)):
		case unicode.Is(unicode.Latin, r):
			latin = true
			alike = alike && (r < 0x80 || strict.Alike(r) != 0)
			if strict.Alike(r) != 0 {
				others = "letters that look like others"
			}
		case alphabet(r) != "":
			others = alphabet(r)
			alike = alike && strict.Alike(r) != 0
		case strict.Alike(r) != 0:
			others = "letters that look like others"
		default:
			alike = false
		}
	}
	switch {
	case others == "":
		return ""
	case latin:
		return "mixes Latin with " + others
	case alike && below:
		return "looks like " + strings.Map(plain, label) + ", and is " + others
	}
	return ""
}

// alphabet is the one of those that no language mixes with Latin that a letter is
// of, "" if it is of another.
func alphabet(r rune) string {
	switch {
	case unicode.Is(unicode.Cyrillic, r):
		return "Cyrillic"
	case unicode.Is(unicode.Greek, r):
		return "Greek"
	case unicode.Is(unicode.Armenian, r):
		return "Armenian"
	case unicode.Is(unicode.Cherokee, r):
		return "Cherokee"
	}
	return ""
}

// oddAddress reports whether a name is an address of version 4 in another form
// than four plain numbers.
func oddAddress(host string) bool {
	parts, odd := 0, false
	for part := range strings.SplitSeq(host, ".") {
		digits, hex := strings.CutPrefix(part, "0x")
		const decimal, sixteen = "0123456789", "0123456789abcdef"
		switch {
		case part == "" || !hex && strings.Trim(part, decimal) != "" || hex && strings.Trim(digits, sixteen) != "":
			return false
		}
		odd = odd || hex || len(part) > 1 && part[0] == '0'
		parts++
	}
	return parts == 4 && odd || parts < 4 && (odd || len(host) > 5)
}

// Raw reports whether a host is named by a public address, so that nobody can
// say whose it is.
func Raw(host string) bool {
	if strings.Count(host, ".") != 3 || strings.Trim(host, "0123456789.") != "" {
		return strings.Count(host, ":") > 1 && !strings.HasPrefix(host, "::1") && !strings.HasPrefix(host, "fe80") &&
			!strings.HasPrefix(host, "fd")
	}
	for _, inner := range [...]string{"127.", "10.", "192.168.", "169.254.", "0.", "172.16.", "172.17.", "172.18.", "172.19.",
		"172.2", "172.30.", "172.31."} {
		if strings.HasPrefix(host, inner) {
			return false
		}
	}
	return true
}
