package hostname

import (
	"slices"
	"strings"
)

// Plain is a host as people write it, however a call spells it.
func Plain(host string) string {
	host = strings.TrimSuffix(strings.ToLower(ASCII(host)), ".")
	if a, ok := ParseAddress(host); ok {
		return a.String()
	}
	return host
}

// ASCII replaces the characters that stand for ASCII ones in a host name: wide and circled
// letters and digits, other full stops, and what cannot be seen.
func ASCII(host string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x80:
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case r >= 'Ⓐ' && r <= 'ⓩ':
			return 'a' + (r-'Ⓐ')%26
		case r >= 0x1d400 && r <= 0x1d6a3: // mathematical letters
			return 'a' + (r-0x1d400)%26
		case r >= 0x1d7ce && r <= 0x1d7ff: // and digits
			return '0' + (r-0x1d7ce)%10
		case r >= '①' && r <= '⑨':
			return r - '①' + '1'
		case r >= '⁴' && r <= '⁹':
			return r - '⁴' + '4'
		case r >= '₀' && r <= '₉':
			return r - '₀' + '0'
		case r == '⓪', r == '⁰':
			return '0'
		case r == '¹':
			return '1'
		case r == '²', r == '³':
			return r - '²' + '2'
		case r == '。', r == '．', r == '｡':
			return '.'
		case r == 0xad, r >= 0x200b && r <= 0x200f, r == 0x2060, r == 0xfeff:
			return -1
		}
		return r
	}, host)
}

// Local reports whether a host is this machine.
func Local(host string) bool {
	switch host = Plain(host); host {
	case "localhost", "host.docker.internal", "ip6-localhost", "ip6-loopback":
		return true
	}
	a, ok := ParseAddress(host)
	return ok && a.Loopback() || strings.HasSuffix(host, ".localhost")
}

// Metadata reports whether a host is where a cloud tells its machines who they are, and
// gives them credentials.
func Metadata(host string) bool {
	host = Plain(host)
	for _, suffix := range [...]string{".nip.io", ".sslip.io", ".xip.io", ".traefik.me"} { // such names contain their address
		if inner, ok := strings.CutSuffix(host, suffix); ok {
			inner = strings.NewReplacer("a9fea9fe", "169.254.169.254", "-", ".").Replace(inner)
			return slices.ContainsFunc(metadata[:], func(address string) bool { return strings.Contains(inner, address) })
		}
	}
	return slices.Contains(metadata[:], host)
}

var metadata = [...]string{"169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.42.42", "169.254.0.23", "168.63.129.16",
	"192.0.0.192", "100.100.100.200", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254",
	"metadata", "metadata.google.internal", "metadata.goog", "metadata.azure.com", "metadata.azure.internal", "metadata.tencentyun.com",
	"metadata.platformequinix.com", "metadata.oraclecloud.com", "instance-data", "instance-data.ec2.internal"}
