package strict

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
)

// CaseVariant refuses an object with a key that is one of the known ones but
// for case, width or letters that look the same. A lenient reader would take
// it for the known one, or a person would.
func CaseVariant(obj map[string]any, known ...string) error {
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		if slices.Contains(known, key) {
			continue
		}
		folded := fold(key)
		for _, k := range known {
			if folded == fold(k) {
				return trammel.Fail(trammel.CodeInput, "found key %q, which could be taken for %q", key, k)
			}
		}
	}
	return nil
}

// FoldedTwins refuses an object in which two keys differ only in case, width
// or letters that look the same: which of them counts depends on the reader.
// Objects inside of it are not looked at, because there such keys can be data.
func FoldedTwins(obj map[string]any) error {
	if len(obj) < 2 {
		return nil
	}
	seen := make(map[string]string, len(obj))
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		folded := fold(key)
		if other, taken := seen[folded]; taken {
			return trammel.Fail(trammel.CodeInput, "found keys %q and %q in one object, which could be taken for each other", other, key)
		}
		seen[folded] = key
	}
	return nil
}

// fold maps keys that could be taken for each other to the same text.
func fold(s string) string {
	if ASCII(s) {
		return strings.ToLower(s)
	}
	return strings.Map(foldRune, s)
}

// ASCII reports whether a text is all ASCII.
func ASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Undisguised takes a character back from the disguises that Unicode has for
// ASCII. It is -1 for one that cannot be seen, or stands for several.
func Undisguised(r rune) rune {
	switch {
	case r >= 0xFF01 && r <= 0xFF5E: // full width
		return r - 0xFEE0
	case r >= 0x1D400 && r <= 0x1D6A3: // mathematical alphabets, 26 capitals and 26 small letters in turn
		return 'a' + (r-0x1D400)%26
	case r >= 0x24B6 && r <= 0x24E9: // in circles
		return 'a' + (r-0x24B6)%26
	case r >= 0x249C && r <= 0x24B5: // in brackets
		return 'a' + r - 0x249C
	case r >= 0x1F110 && r <= 0x1F189: // in brackets, squares and discs, 26 in 32
		if r = (r - 0x1F110) % 32; r > 25 {
			return -1
		}
		return r + 'a'
	case r >= 0x1F1E6 && r <= 0x1F1FF: // regional indicators
		return 'a' + r - 0x1F1E6
	case r >= 0xE0020 && r <= 0xE007E: // tags
		return -1
	}
	return r
}

// foldRune lowers a letter without its disguise. What cannot be seen is dropped.
func foldRune(r rune) rune {
	r = Undisguised(r)
	switch {
	case r < utf8.RuneSelf:
		return unicode.ToLower(r)
	case unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me, unicode.Cc):
		return -1
	}
	if i := strings.IndexRune(lookalikes, unicode.ToLower(r)); i >= 0 {
		_, size := utf8.DecodeRuneInString(lookalikes[i:])
		return rune(lookalikes[i+size])
	}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		if f >= 'a' && f <= 'z' { // the Kelvin sign and the long s among them
			return f
		}
	}
	return unicode.ToLower(r)
}

// lookalikes are pairs: a letter of another alphabet, and the ASCII letter
// that it looks like.
const lookalikes = "аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwвbкkмmнhтtгrпn" + // Cyrillic
	"αaοoρpνvιiκkτtυuχxγyεeηn" + // Greek
	"ıi‐-‑-‒-–-—-−-‗_﹍_"
