package netguard

import (
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel/effects/hostname"
)

// entry is one entry of a list, for one host or many.
type entry struct {
	name   string // exact, or with sub only subdomains
	sub    bool
	net    hostname.Network
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
	if strings.Contains(rest, "/") {
		if e.net, e.ip = hostname.ParseNetwork(rest); !e.ip {
			return e, fmt.Errorf("found %q, expected a net as 10.0.0.0/8 or fd00::/8", text)
		}
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
		e.ip, e.net = true, hostname.Just(h.addr)
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
		return h.ip && e.net.Has(h.addr)
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
// their credentials, or another one that the network gives to one machine only.
func (h *host) metadata() bool {
	return h.ip && strings.HasPrefix(h.name, "169.254.") || hostname.Metadata(h.name)
}

func (h *host) loopback() bool { return hostname.Local(h.name) }
