package netguard

import (
	"fmt"
	"strconv"
	"strings"
)

// entry is one entry of a list, for one host or many.
type entry struct {
	name   string // exact, or with sub only subdomains
	sub    bool
	net    address
	bits   int
	ip     bool
	port   string
	anyone bool
}

// parseEntry reads github.com, *.npmjs.org, 10.0.0.0/8, ::1, example.com:8443
// and *.
func parseEntry(text string) (entry, error) {
	var e entry
	rest := text
	if rest == "*" {
		e.anyone = true
		return e, nil
	}
	if strings.Contains(rest, "://") || strings.ContainsAny(rest, "@ ?#") {
		return e, fmt.Errorf("found %q, expected a host as github.com, *.npmjs.org, 10.0.0.0/8 or example.com:8443", text)
	}
	if net, bits, ok := strings.Cut(rest, "/"); ok {
		addr, good := parseAddress(net)
		n, err := strconv.Atoi(bits)
		most := 128
		if addr.isV4() && !strings.Contains(net, ":") {
			most = 32
		}
		if !good || err != nil || n < 0 || n > most {
			return e, fmt.Errorf("found %q, expected a net as 10.0.0.0/8 or fd00::/8", text)
		}
		e.ip, e.net, e.bits = true, addr, n+128-most
		return e, nil
	}
	if sub, ok := strings.CutPrefix(rest, "*."); ok {
		e.sub, rest = true, sub
	}
	h := splitPort(rest)
	if strings.Count(rest, ":") > 1 && rest[0] != '[' {
		h = newHost(rest, "")
	}
	if e.port = h.port; h.ip && !e.sub {
		e.ip, e.net, e.bits = true, h.addr, 128
		return e, nil
	}
	if e.name = h.name; e.name == "" || strings.ContainsAny(e.name, "*/") {
		return e, fmt.Errorf("found %q, expected * only as the first part of a name: *.example.com", text)
	}
	return e, nil
}

func (e *entry) is(h *host) bool {
	if e.port != "" && e.port != h.port {
		return false
	}
	switch {
	case e.anyone:
		return true
	case e.ip:
		return h.ip && h.addr.in(e.net, e.bits)
	case h.ip:
		return false
	case e.sub:
		return strings.HasSuffix(h.name, "."+e.name)
	}
	return h.name == e.name
}

type list []entry

func parseList(texts []string) (list, error) {
	var out list
	for _, text := range texts {
		e, err := parseEntry(text)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func (l list) has(h *host) bool {
	for i := range l {
		if l[i].is(h) {
			return true
		}
	}
	return false
}

// names reports whether the list names a host, other than by *.
func (l list) names(h *host) bool {
	for i := range l {
		if !l[i].anyone && l[i].is(h) {
			return true
		}
	}
	return false
}

// metadata reports whether a host is the service from which cloud machines get
// their credentials.
func (h *host) metadata() bool {
	if h.ip {
		linkLocal, _ := parseAddress("169.254.0.0")
		if h.addr.in(linkLocal, 112) {
			return true
		}
		switch h.name {
		case "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2:0:0:0:0:0:254", "fd20:ce:0:0:0:0:0:254":
			return true
		}
		return false
	}
	switch h.name {
	case "metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal", "metadata.azure.internal",
		"metadata.tencentyun.com":
		return true
	}
	for _, suffix := range [...]string{".nip.io", ".sslip.io", ".xip.io"} { // such names contain their address
		if inner, ok := strings.CutSuffix(h.name, suffix); ok && (strings.Contains(inner, "169.254.") || strings.Contains(inner, "169-254-") ||
			strings.Contains(inner, "a9fea9fe")) {
			return true
		}
	}
	return false
}

func (h *host) loopback() bool {
	return h.ip && h.addr.loopback() || h.name == "localhost" || strings.HasSuffix(h.name, ".localhost") || h.name == "ip6-localhost"
}
