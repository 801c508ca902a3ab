package recipes

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
)

// Decode undoes a simple encoding of a text; ok is false if it is not known, or the
// text is not encoded in it.
func Decode(how, text string) (plain string, ok bool) {
	switch strings.ToLower(how) {
	case "base64", "b64":
		text = strings.NewReplacer("-", "+", "_", "/", "\n", "", " ", "", "=", "").Replace(text)
		b, err := base64.RawStdEncoding.DecodeString(text)
		text, ok = string(b), err == nil
	case "hex", "hex_codec":
		b, err := hex.DecodeString(strings.NewReplacer(" ", "", "\n", "", ":", "").Replace(text))
		text, ok = string(b), err == nil
	case "rot13", "rot_13":
		text, ok = strings.Map(rot13, text), true
	case "percent":
		text, ok = unpercent(text), true
	case "utf8", "utf-8", "ascii", "latin1", "binary", "":
		ok = true
	}
	return text, ok
}

func rot13(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case r >= 'A' && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}

func unpercent(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
