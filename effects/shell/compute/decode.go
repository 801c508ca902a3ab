package compute

import (
	"encoding/hex"
	"strings"
)

// Reverse is a text from its end to its beginning.
func Reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// DecodeHex decodes hexadecimal digits, as xxd -r -p takes them.
func DecodeHex(s string) (string, bool) {
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), ""), `\x`, "")
	text, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
	return string(text), err == nil
}
