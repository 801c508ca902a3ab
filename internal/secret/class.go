package secret

import (
	"math"
	"strings"
)

// class is a set of characters.
type class uint8

const (
	digit class = 1 << iota
	afLower
	gzLower
	upper
	under
	minus
	period
	plus // + / =

	hex      = digit | afLower
	lower    = afLower | gzLower
	letters  = lower | upper
	alnum    = digit | letters
	word     = alnum | under
	token    = word | minus
	dotted   = token | period
	base64   = alnum | plus
	anything = dotted | plus
)

var classes = [256]class{
	'0': digit, '1': digit, '2': digit, '3': digit, '4': digit, '5': digit, '6': digit, '7': digit, '8': digit, '9': digit,
	'a': afLower, 'b': afLower, 'c': afLower, 'd': afLower, 'e': afLower, 'f': afLower,
	'g': gzLower, 'h': gzLower, 'i': gzLower, 'j': gzLower, 'k': gzLower, 'l': gzLower, 'm': gzLower,
	'n': gzLower, 'o': gzLower, 'p': gzLower, 'q': gzLower, 'r': gzLower, 's': gzLower, 't': gzLower,
	'u': gzLower, 'v': gzLower, 'w': gzLower, 'x': gzLower, 'y': gzLower, 'z': gzLower,
	'A': upper, 'B': upper, 'C': upper, 'D': upper, 'E': upper, 'F': upper, 'G': upper, 'H': upper, 'I': upper,
	'J': upper, 'K': upper, 'L': upper, 'M': upper, 'N': upper, 'O': upper, 'P': upper, 'Q': upper, 'R': upper,
	'S': upper, 'T': upper, 'U': upper, 'V': upper, 'W': upper, 'X': upper, 'Y': upper, 'Z': upper,
	'_': under, '-': minus, '.': period, '+': plus, '/': plus, '=': plus,
}

// classOf returns the union of the classes in s; other reports a byte of none.
func classOf(s string) (c class, other bool) {
	for i := 0; i < len(s); i++ {
		k := classes[s[i]]
		c |= k
		other = other || k == 0
	}
	return c, other
}

// random reports whether s looks like it came from a generator: digits among
// letters, few repetitions, no words.
func random(s string) bool {
	c, _ := classOf(s)
	return c&digit != 0 && c&letters != 0 && entropy(s) >= 3 && !wordy(s)
}

// wordy reports whether s reads like names with numbers behind them
// (EncapsulationKey1024, node-modules-v1): no letter follows a digit, and the
// humps are words. A generator hardly ever makes such a text.
func wordy(s string) bool {
	humps := 1
	for i := 1; i < len(s); i++ {
		before, c := classes[s[i-1]], classes[s[i]]
		if before&digit != 0 && c&letters != 0 {
			return false
		}
		if before&lower != 0 && c&upper != 0 {
			humps++
		}
	}
	return len(s) >= 4*humps
}

// repetitive reports whether s is made of hardly any different characters, as
// in "xxxxxxxx": whoever wrote it meant no secret.
func repetitive(s string) bool {
	var seen [256]bool
	different := 0
	for i := 0; i < len(s); i++ {
		if !seen[s[i]] {
			seen[s[i]] = true
			different++
		}
	}
	return different < 5
}

// entropy is the Shannon entropy of s in bits per byte.
func entropy(s string) float64 {
	var count [256]int
	for i := 0; i < len(s); i++ {
		count[s[i]]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// identity reports whether s names something instead of opening it: a digest
// in hexadecimal digits, an integrity hash, a UUID, a label.
func identity(s string) bool {
	for _, algorithm := range [...]string{"sha1-", "sha256-", "sha384-", "sha512-", "sha256:", "sha512:", "md5:", "h1:"} {
		if strings.HasPrefix(s, algorithm) {
			return true
		}
	}
	if label(s) {
		return true
	}
	if cut := strings.LastIndexByte(s, '-'); cut > 0 && len(s)-cut > 32 && wordy(s[:cut]) {
		s = s[cut+1:] // linux-x64-<digest>
	}
	hexDigits, dashes := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case classes[c]&hex != 0, 'A' <= c && c <= 'F':
			hexDigits++
		case c == '-':
			dashes++
		default:
			return false
		}
	}
	switch hexDigits {
	case 32:
		return dashes == 0 || dashes == 4 && len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-'
	case 40, 56, 64, 96, 128:
		return dashes == 0
	}
	return false
}

// label reports whether s is the name of a label or taint, below the domain of whoever
// gave it: kwok.x-k8s.io/node.
func label(s string) bool {
	domain, name, _ := strings.Cut(s, "/")
	last := domain[strings.LastIndexByte(domain, '.')+1:]
	c, other := classOf(domain)
	l, _ := classOf(last)
	n, also := classOf(name)
	return len(last) < len(domain) && len(last) <= 4 && l&^lower == 0 && !other && c&^(lower|digit|minus|period) == 0 &&
		name != "" && !also && n&^(lower|minus|period) == 0
}
