package hostname

import (
	"strconv"
	"strings"
)

// Network is all addresses that begin with the same bits: 10.0.0.0/8.
type Network struct {
	first Address
	bits  int
}

// ParseNetwork reads 10.0.0.0/8 and fd00::/8.
func ParseNetwork(text string) (n Network, ok bool) {
	first, bits, ok := strings.Cut(text, "/")
	if !ok {
		return n, false
	}
	if n.first, ok = ParseAddress(first); !ok {
		return n, false
	}
	most := 128
	if n.first.V4() && !strings.Contains(first, ":") {
		most = 32
	}
	length, err := strconv.Atoi(bits)
	n.bits = length + 128 - most
	return n, err == nil && length >= 0 && length <= most
}

// Just is the network of one address.
func Just(a Address) Network { return Network{a, 128} }

// Has reports whether an address is in the network.
func (n Network) Has(a Address) bool {
	for i, bits := 0, n.bits; i < 16 && bits > 0; i, bits = i+1, bits-8 {
		mask := byte(0xff)
		if bits < 8 {
			mask <<= 8 - bits
		}
		if a[i]&mask != n.first[i]&mask {
			return false
		}
	}
	return true
}
