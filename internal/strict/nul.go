package strict

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel"
)

// NUL refuses a value with U+0000 in any string or key of it. A program in C
// ends its text there; what a guard judged would not be what runs.
func NUL(v any) error {
	if at, found := findNUL(v); found {
		return trammel.Fail(trammel.CodeInput, "found a NUL character in %s", at)
	}
	return nil
}

// MayHoldNUL reports whether a value that Object has read from raw may have a
// NUL in it: JSON can write it only as an escape.
func MayHoldNUL(raw []byte) bool { return bytes.Contains(raw, []byte(`\u0000`)) }

// findNUL returns the place of the first NUL it meets, as a path of keys.
func findNUL(v any) (at string, found bool) {
	switch v := v.(type) {
	case string:
		return "a string", strings.IndexByte(v, 0) >= 0
	case map[string]any:
		for key, value := range v {
			if strings.IndexByte(key, 0) >= 0 {
				return "the key " + strconv.Quote(key), true
			}
			if at, found := findNUL(value); found {
				return at + " under " + strconv.Quote(key), true
			}
		}
	case []any:
		for _, value := range v {
			if at, found := findNUL(value); found {
				return at, true
			}
		}
	}
	return "", false
}
