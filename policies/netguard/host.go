package netguard

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/hostname"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/names"
	"github.com/trammel-dev/trammel/internal/strict"
)

// host is a remote host: a DNS name in lower case, or an address.
type host struct {
	name string
	addr hostname.Address
	ip   bool
	port string
	// odd is true for a name that programs may read differently, open for one
	// that is partly unknown.
	odd, open bool
}

func (h *host) String() string { return h.name }

// hostsOf returns the hosts that an effect may mean. If its URL can be read in two
// ways there are two, and both count.
func hostsOf(n *model.Net) []host {
	var out []host
	if n.Host != "" {
		out = append(out, newHost(n.Host, n.Port))
	}
	if n.URL != "" {
		for _, h := range hostsOfURL(n.URL) {
			if len(out) == 0 || h.name != out[0].name {
				out = append(out, h)
			}
		}
	}
	return out
}

// hostsOfURL reads the host of a URL as browsers do, and also as other programs do
// if that makes a difference: in http://a\@b/ some see a, and some see b.
func hostsOfURL(url string) []host {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return nil
	}
	rest = strings.TrimLeft(rest, `/\`)
	browser := authority(rest, `/?#\`)
	other := authority(rest, `/?#`)
	out := []host{splitPort(browser)}
	if other != browser {
		out = append(out, splitPort(other))
	}
	return out
}

// authority is the host and port of a URL without its scheme.
func authority(rest, ends string) string {
	if end := strings.IndexAny(rest, ends); end >= 0 {
		rest = rest[:end]
	}
	return rest[strings.LastIndexByte(rest, '@')+1:]
}

func splitPort(text string) host {
	if end := strings.IndexByte(text, ']'); strings.HasPrefix(text, "[") && end > 0 {
		return newHost(text[:end+1], strings.TrimPrefix(text[end+1:], ":"))
	}
	if name, port, ok := strings.Cut(text, ":"); ok && strings.IndexByte(port, ':') < 0 {
		return newHost(name, port)
	}
	return newHost(text, "")
}

// maxName is longer than any DNS name, however it is written.
const maxName = 1024

// newHost normalizes a name for comparison.
func newHost(name, port string) host {
	h := host{port: port}
	if len(name) > maxName {
		return host{name: name[:maxName], port: port, open: true}
	}
	name = strings.ToLower(hostname.ASCII(unescape(strings.TrimSpace(name))))
	name = strings.TrimSuffix(name, ".")
	if a, ok := hostname.ParseAddress(name); ok {
		return host{name: a.String(), addr: a, ip: true, port: port}
	}
	for _, label := range strings.Split(name, ".") {
		if !strict.ASCII(label) {
			h.odd = true // programs do not agree on the result
			if code, ok := names.Punycode(label); ok {
				name = strings.Replace(name, label, "xn--"+code, 1)
			}
		}
	}
	h.name, h.open = name, strings.ContainsAny(name, "${}`")
	if last := name[strings.LastIndexByte(name, '.')+1:]; name == "" || strings.ContainsAny(name, "%*<> \t\\") || last != "" &&
		strings.Trim(last, "0123456789") == "" {
		h.odd = true
	}
	return h
}

// unescape resolves %XX in a host, as many programs do.
func unescape(name string) string {
	if strings.IndexByte(name, '%') < 0 {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if hi, lo := hex(name, i+1), hex(name, i+2); name[i] == '%' && hi >= 0 && lo >= 0 && name[0] != '[' {
			b.WriteByte(byte(hi<<4 | lo))
			i += 2
			continue
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

func hex(s string, i int) int {
	if i >= len(s) {
		return -1
	}
	switch c := s[i]; {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
