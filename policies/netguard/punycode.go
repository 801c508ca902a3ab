package netguard

import (
	"strings"
	"unicode/utf8"
)

// punycode encodes a label as DNS has it (RFC 3492), without xn--.
func punycode(label string) (string, bool) {
	const base, tmin, tmax, skew, damp = 36, 1, 26, 38, 700
	if !utf8.ValidString(label) || len(label) > 256 {
		return "", false
	}
	runes := []rune(label)
	var out strings.Builder
	for _, r := range runes {
		if r < utf8.RuneSelf {
			out.WriteRune(r)
		}
	}
	basic := out.Len()
	if basic > 0 {
		out.WriteByte('-')
	}
	digit := func(d int32) {
		if d < 26 {
			out.WriteByte(byte(d) + 'a')
		} else {
			out.WriteByte(byte(d) - 26 + '0')
		}
	}
	n, delta, bias, done := rune(128), int32(0), int32(72), int32(basic)
	for int(done) < len(runes) {
		next := rune(utf8.MaxRune)
		for _, r := range runes {
			if r >= n && r < next {
				next = r
			}
		}
		delta += (next - n) * (done + 1)
		if delta < 0 {
			return "", false
		}
		n = next
		for _, r := range runes {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			q := delta
			for k := int32(base); ; k += base {
				t := min(max(k-bias, tmin), tmax)
				if q < t {
					break
				}
				digit(t + (q-t)%(base-t))
				q = (q - t) / (base - t)
			}
			digit(q)
			// adapt
			if done == int32(basic) {
				delta /= damp
			} else {
				delta /= 2
			}
			delta += delta / (done + 1)
			k := int32(0)
			for delta > ((base-tmin)*tmax)/2 {
				delta /= base - tmin
				k += base
			}
			bias = k + (base-tmin+1)*delta/(delta+skew)
			delta = 0
			done++
		}
		delta++
		n++
	}
	return out.String(), true
}
