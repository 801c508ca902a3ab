package match

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
)

// host matches the demanded hosts against one that is talked to.
func (m *matcher) host(n *model.Net) Truth {
	switch {
	case len(m.To) == 0:
		return Yes
	case n.Host == "" && slices.Contains(m.To, "*"):
		return Yes
	case n.Host == "" && !n.Own: // which service a program uses by itself is the user's choice, not the call's
		return Unclear
	}
	return truthOf(isHost(m.To, n.Host))
}

// together matches the demanded hosts against those that the same program talks
// to: {path: .env, to: "*"} is a file that somebody reads who talks to a host.
func (m *matcher) together(run int) Truth {
	fits := truthOf(len(m.To) == 0)
	for _, n := range m.call.nets() {
		if fits != Yes && n.Run == run {
			fits = max(fits, m.host(&n))
		}
	}
	return fits
}

// Foreign stands for every host but this machine.
const Foreign = "foreign"

func isHost(wanted []string, host string) bool {
	host = strings.ReplaceAll(strings.ReplaceAll(host, "。", "."), "．", ".") // full stops of other scripts mean the same
	host = dotted(unmapped(strings.ToLower(strings.TrimSuffix(host, "."))))
	for _, want := range wanted {
		if want == Foreign && !paths.IsLocal(host) {
			return true
		}
		want = dotted(strings.ToLower(want)) // a number is an address, too
		if sub, ok := strings.CutPrefix(want, "."); ok && (host == sub || strings.HasSuffix(host, want)) {
			return true // .example.com: the domain and all below it
		}
		if ok, err := path.Match(want, host); want == host || ok && err == nil {
			return true
		}
	}
	return false
}

// unmapped is the address that stands in one of version 6: ::ffff:169.254.169.254, or
// ::ffff:a9fe:a9fe. What is no such address stays.
func unmapped(host string) string {
	i := strings.LastIndex(host, "ffff:")
	if i < 0 || strings.Trim(host[:i], "0:") != "" {
		return host
	}
	rest := host[i+len("ffff:"):]
	if high, low, ok := strings.Cut(rest, ":"); ok {
		h, err := strconv.ParseUint(high, 16, 16)
		l, bad := strconv.ParseUint(low, 16, 16)
		if err != nil || bad != nil {
			return host
		}
		return strconv.FormatUint(h<<16|l, 10)
	}
	return rest
}

// dotted is an address in its usual form: 2852039166, 0xa9fea9fe and
// 169.254.43518 are 169.254.169.254. What is no such number stays.
func dotted(host string) string {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return host
	}
	var sum uint64
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 0, 32)
		last := i == len(parts)-1
		if err != nil || !last && n > 255 || last && n >= 1<<(8*(5-len(parts))) {
			return host
		}
		if shift := 8 * (3 - i); !last {
			n <<= shift
		}
		sum |= n
	}
	return fmt.Sprintf("%d.%d.%d.%d", sum>>24, sum>>16&255, sum>>8&255, sum&255)
}

// CheckHost says what is wrong with a host of To.
func CheckHost(s string) error {
	if s == "" || strings.ContainsAny(s, "/@ ?#:") {
		return fmt.Errorf("found %q, expected a host: example.com, *.example.com, or .example.com for both", s)
	}
	if _, err := path.Match(s, ""); err != nil {
		return fmt.Errorf("found %q, expected every [ to be closed", s)
	}
	return nil
}
