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
	for ; len(s) >= 8; s = s[8:] {
		if (s[0] | s[1] | s[2] | s[3] | s[4] | s[5] | s[6] | s[7]) >= utf8.RuneSelf {
			return false
		}
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
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
	return Latin(r, Near)
}
