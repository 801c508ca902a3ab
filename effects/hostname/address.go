// Package hostname knows hosts by all their spellings: addresses in every form that programs
// accept, networks, this machine, and the services from which cloud machines get credentials.
package hostname

import (
	"strconv"
	"strings"
)

// Address is an IP address; IPv4 is stored in its IPv6 form. net/netip is not
// used because it slows down every start of the hot program, and does not read
// the unusual forms that can hide an address.
type Address [16]byte

func fromV4(n uint32) Address {
	return Address{10: 0xff, 11: 0xff, 12: byte(n >> 24), 13: byte(n >> 16), 14: byte(n >> 8), 15: byte(n)}
}

// V4 reports whether it is an IPv4 address.
func (a Address) V4() bool {
	return a == fromV4(uint32(a[12])<<24|uint32(a[13])<<16|uint32(a[14])<<8|uint32(a[15]))
}

// String writes the address as RFC 5952 wants it.
func (a Address) String() string {
	if a.V4() {
		return strconv.Itoa(int(a[12])) + "." + strconv.Itoa(int(a[13])) + "." + strconv.Itoa(int(a[14])) + "." + strconv.Itoa(int(a[15]))
	}
	from, to := a.gap()
	var b strings.Builder
	for i := 0; i < 16; i += 2 {
		if i == from {
			b.WriteString("::")
			i = to
		} else if i > 0 {
			b.WriteByte(':')
		}
		if i < 16 {
			b.WriteString(strconv.FormatUint(uint64(a[i])<<8|uint64(a[i+1]), 16))
		}
	}
	return b.String()
}

// gap is the longest run of groups that are zero, if there are two at least.
func (a Address) gap() (from, to int) {
	from = 16
	for i := 0; i < 16; i += 2 {
		end := i
		for end < 16 && a[end] == 0 && a[end+1] == 0 {
			end += 2
		}
		if end-i > 2 && end-i > to-from {
			from, to = i, end
		}
		i = max(i, end-2)
	}
	return from, to
}

// ParseAddress reads an address in every form that programs accept: 1.2.3.4,
// 16909060, 0x01020304, 01.02.03.04, 1.2.772, ::1, ::ffff:1.2.3.4, [::1].
func ParseAddress(host string) (Address, bool) {
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.IndexByte(host, ':') >= 0 {
		host, _, _ = strings.Cut(host, "%") // the zone
		return parseV6(host)
	}
	return parseV4(host)
}

// parseV4 reads what inet_aton reads: one to four numbers, each decimal, octal or
// hexadecimal, where the last fills the remaining bytes.
func parseV4(host string) (Address, bool) {
	parts := strings.Split(host, ".")
	if host == "" || len(parts) > 4 {
		return Address{}, false
	}
	var n uint64
	for i, part := range parts {
		if part == "" || strings.IndexByte(part, '_') >= 0 {
			return Address{}, false
		}
		base := 10
		switch {
		case len(part) > 1 && (part[1] == 'x' || part[1] == 'X') && part[0] == '0':
			if part, base = part[2:], 16; part == "" {
				part = "0"
			}
		case part[0] == '0':
			base = 8
		}
		v, err := strconv.ParseUint(part, base, 32)
		if err != nil {
			return Address{}, false
		}
		if i == len(parts)-1 {
			if v >= 1<<(8*(5-len(parts))) {
				return Address{}, false
			}
			n = n<<(8*(5-len(parts))) | v
			break
		}
		if v > 255 {
			return Address{}, false
		}
		n = n<<8 | v
	}
	return fromV4(uint32(n)), true
}

func parseV6(host string) (a Address, ok bool) {
	head, tail, gap := strings.Cut(host, "::")
	front, ok := groups(head)
	if !ok {
		return a, false
	}
	back, ok := groups(tail)
	if !ok || len(front)+len(back) > 16 || !gap && len(front) != 16 || gap && strings.Contains(tail, "::") {
		return a, false
	}
	copy(a[:], front)
	copy(a[16-len(back):], back)
	return unwrap(a), true
}

// groups returns the bytes of a part of an IPv6 address, whose last group may be
// an IPv4 address.
func groups(text string) ([]byte, bool) {
	if text == "" {
		return nil, true
	}
	var out []byte
	for _, part := range strings.Split(text, ":") {
		if strings.IndexByte(part, '.') >= 0 {
			v4, ok := parseV4(part)
			if !ok {
				return nil, false
			}
			out = append(out, v4[12:]...)
			continue
		}
		v, err := strconv.ParseUint(part, 16, 16)
		if err != nil {
			return nil, false
		}
		out = append(out, byte(v>>8), byte(v))
	}
	return out, true
}

// unwrap returns the IPv4 address that is embedded in an IPv6 one: NAT64, 6to4 or
// the old compatible form.
func unwrap(a Address) Address {
	switch {
	case a[0] == 0 && a[1] == 0x64 && a[2] == 0xff && a[3] == 0x9b:
		return Address{10: 0xff, 11: 0xff, 12: a[12], 13: a[13], 14: a[14], 15: a[15]}
	case a[0] == 0x20 && a[1] == 0x02:
		return Address{10: 0xff, 11: 0xff, 12: a[2], 13: a[3], 14: a[4], 15: a[5]}
	case [12]byte(a[:12]) == [12]byte{} && (a[12] != 0 || a[13] != 0 || a[14] != 0):
		return Address{10: 0xff, 11: 0xff, 12: a[12], 13: a[13], 14: a[14], 15: a[15]}
	}
	return a
}

// Loopback reports whether it is an address of this machine.
func (a Address) Loopback() bool {
	return a.V4() && (a[12] == 127 || [4]byte(a[12:]) == [4]byte{}) || a == Address{15: 1} || a == Address{}
}
