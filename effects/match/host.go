package match

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/hostname"
	"github.com/trammel-dev/trammel/effects/model"
)

// host matches the demanded hosts against one that is talked to.
func (m *matcher) host(n *model.Net) Truth {
	if len(m.To) == 0 {
		return Yes
	}
	if n.Host != "" {
		return truthOf(isHost(m.To, n.Host))
	}
	wanted, not := exceptions(m.To)
	switch all := len(wanted) == 0 || slices.Contains(wanted, "*"); {
	case all && (n.Own || len(not) == 0):
		return Yes
	case n.Own: // which service a program uses by itself is the user's choice, not the call's
		return No
	}
	return Unclear
}

// exceptions splits patterns from those that begin with !, which are left out.
func exceptions(patterns []string) (wanted, not []string) {
	for _, p := range patterns {
		if rest, ok := strings.CutPrefix(p, "!"); ok {
			not = append(not, rest)
		} else {
			wanted = append(wanted, p)
		}
	}
	return wanted, not
}

// together matches the required hosts against those that the same program
// contacts: {path: .env, to: "*"} is a file read by a program that contacts a host.
func (m *matcher) together(run int) Truth {
	fits := truthOf(len(m.To) == 0)
	for _, n := range m.call.nets() {
		if fits != Yes && n.Run == run {
			fits = max(fits, m.host(&n))
		}
	}
	return fits
}

// Foreign matches every host except this machine.
const Foreign = "foreign"

// isHost matches patterns against a host. Exceptions alone leave all other hosts.
func isHost(patterns []string, host string) bool {
	wanted, not := exceptions(patterns)
	return (len(wanted) == 0 && len(not) > 0 || oneOf(wanted, host)) && !oneOf(not, host)
}

func oneOf(wanted []string, host string) bool {
	host = hostname.Plain(host)
	address, numeric := hostname.ParseAddress(host)
	for _, want := range wanted {
		if want == Foreign && !hostname.Local(host) {
			return true
		}
		if network, ok := hostname.ParseNetwork(want); ok {
			if numeric && network.Has(address) {
				return true
			}
			continue
		}
		want = hostname.Plain(want)
		if sub, ok := strings.CutPrefix(want, "."); ok && (host == sub || strings.HasSuffix(host, want)) {
			return true // .example.com: the domain and all below it
		}
		if ok, err := path.Match(want, host); want == host || ok && err == nil {
			return true
		}
	}
	return false
}

// describeHosts says in words what patterns of hosts demand.
func describeHosts(patterns []string) string {
	wanted, not := exceptions(patterns)
	text := "it talks to " + strings.Join(wanted, " or ")
	if len(wanted) == 0 {
		text += "a host"
	}
	if len(not) > 0 {
		text += " but not to " + strings.Join(not, " or ")
	}
	return text
}

// CheckHost says what is wrong with a host of To.
func CheckHost(s string) error {
	s = strings.TrimPrefix(s, "!")
	if _, ok := hostname.ParseNetwork(s); ok && !strings.HasSuffix(s, "/0") {
		return nil
	}
	if _, ok := hostname.ParseAddress(s); !ok && (s == "" || strings.ContainsAny(s, "!/@ ?#:=(),")) {
		return fmt.Errorf("found %q, expected a host: example.com, *.example.com, .example.com for both, 10.0.0.0/8 for a network, "+
			"or !example.com for all others", s)
	}
	switch strings.ToLower(s) {
	case "all", "any", "every", "everything", "internet", "external", "public":
		return fmt.Errorf("found %q, expected * for any host, or foreign for all but this machine", s)
	}
	if _, err := path.Match(s, ""); err != nil {
		return fmt.Errorf("found %q, expected every [ to be closed", s)
	}
	return nil
}

// UsualPort is the port at which a host is talked to if none is named, "" if that is not known.
func UsualPort(n *model.Net, program string) string {
	scheme, _, _ := strings.Cut(n.URL, "://")
	switch strings.ToLower(scheme) {
	case "https", "wss":
		return "443"
	case "http", "ws":
		return "80"
	case "ftp":
		return "21"
	case "ssh", "sftp", "git+ssh", "ssh+git":
		return "22"
	}
	switch program {
	case "ssh", "scp", "sftp", "sshfs", "ssh-copy-id", "autossh", "mosh":
		return "22"
	}
	return ""
}
