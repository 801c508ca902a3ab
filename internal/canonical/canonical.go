// Package canonical writes JSON in its canonical form (RFC 8785: sorted keys,
// shortest numbers, minimal escapes) and takes digests of it. Integers keep all
// their digits, also those that a float could not hold, because a digest must
// distinguish what a tool would distinguish.
package canonical

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Append appends the canonical form of v, which is made of nil, bool, string,
// numbers, []any, []string, map[string]any and map[string]string. Text that is
// not UTF-8 is repaired with replacement characters.
func Append(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return AppendString(dst, v), nil
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case uint64:
		return strconv.AppendUint(dst, v, 10), nil
	case float64:
		if v != v || v > maxFloat || v < -maxFloat {
			return dst, fmt.Errorf("%v is not a JSON number", v)
		}
		return append(dst, jsontext.Float(v).String()...), nil
	case []any:
		return appendList(dst, v, Append)
	case []string:
		return appendList(dst, v, func(dst []byte, s string) ([]byte, error) { return AppendString(dst, s), nil })
	case map[string]any:
		return appendMap(dst, v, Append)
	case map[string]string:
		return appendMap(dst, v, func(dst []byte, s string) ([]byte, error) { return AppendString(dst, s), nil })
	}
	return dst, fmt.Errorf("%T has no canonical form", v)
}

const maxFloat = 1.79769313486231570814527423731704356798070e+308

func appendList[T any](dst []byte, list []T, each func([]byte, T) ([]byte, error)) ([]byte, error) {
	dst = append(dst, '[')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = each(dst, e); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendMap[T any](dst []byte, m map[string]T, each func([]byte, T) ([]byte, error)) ([]byte, error) {
	var few [16]string
	keys := few[:0]
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareUTF16[string])
	dst = append(dst, '{')
	for i, k := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, k), ':')
		var err error
		if dst, err = each(dst, m[k]); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// AppendString appends a quoted string.
func AppendString(dst []byte, s string) []byte {
	if isPlain(s) {
		return append(append(append(dst, '"'), s...), '"')
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	dst, err := jsontext.AppendQuote(dst, s)
	if err != nil { // only invalid UTF-8 is an error, and there is none left
		panic(err)
	}
	return dst
}

// isPlain reports whether a string is its own canonical form, as most are: printable ASCII.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// compareUTF16 orders keys by UTF-16 code units, as RFC 8785 demands. It
// differs from the order of bytes only where surrogates meet U+E000 and above.
func compareUTF16[T string | []byte](a, b T) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			continue
		}
		if a[i] >= 0xEE && b[i] >= 0xEE && (a[i] >= 0xF0) != (b[i] >= 0xF0) {
			if a[i] >= 0xF0 {
				return -1
			}
			return 1
		}
		return int(a[i]) - int(b[i])
	}
	return len(a) - len(b)
}

// Digest returns the SHA-256 of data as "sha256:" and hexadecimal digits.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	const scheme = "sha256:"
	var text [len(scheme) + 2*sha256.Size]byte
	hex.Encode(text[copy(text[:], scheme):], sum[:])
	return string(text[:])
}

// DigestOf returns the digest of the canonical form of v, or "" if it has none.
func DigestOf(v any) string {
	data, err := Append(nil, v)
	if err != nil {
		return ""
	}
	return Digest(data)
}
