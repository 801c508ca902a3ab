package names

import (
	"strings"
	"unicode/utf8"
)

// The numbers of RFC 3492.
const base, tmin, tmax, skew, damp = 36, 1, 26, 38, 700

// Punycode encodes a label as DNS has it (RFC 3492), without xn--.
func Punycode(label string) (string, bool) {
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
			bias = adapt(delta, done+1, done == int32(basic))
			delta = 0
			done++
		}
		delta++
		n++
	}
	return out.String(), true
}

// adapt is the bias for the next letter of a label that has so many.
func adapt(delta, letters int32, first bool) int32 {
	if first {
		delta /= damp
	} else {
		delta /= 2
	}
	delta += delta / letters
	k := int32(0)
	for delta > ((base-tmin)*tmax)/2 {
		delta /= base - tmin
		k += base
	}
	return k + (base-tmin+1)*delta/(delta+skew)
}

// FromPunycode decodes a label without its xn--.
func FromPunycode(code string) (string, bool) {
	if len(code) > 63 {
		return "", false
	}
	var out []rune
	if i := strings.LastIndexByte(code, '-'); i >= 0 {
		out, code = []rune(code[:i]), code[i+1:]
	}
	n, at, bias := rune(128), int32(0), int32(72)
	for code != "" {
		before, weight := at, int32(1)
		for k := int32(base); ; k += base {
			if code == "" || weight > 1<<24 {
				return "", false
			}
			digit := int32(code[0])
			switch code = code[1:]; {
			case 'a' <= digit && digit <= 'z':
				digit -= 'a'
			case '0' <= digit && digit <= '9':
				digit -= '0' - 26
			default:
				return "", false
			}
			if at += digit * weight; at > 1<<28 {
				return "", false
			}
			t := min(max(k-bias, tmin), tmax)
			if digit < t {
				break
			}
			weight *= base - t
		}
		letters := int32(len(out)) + 1
		bias = adapt(at-before, letters, before == 0)
		n += at / letters
		at %= letters
		if !utf8.ValidRune(n) {
			return "", false
		}
		out = append(out, 0)
		copy(out[at+1:], out[at:])
		out[at] = n
		at++
	}
	return string(out), true
}
