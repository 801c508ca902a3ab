package http

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
)

// SignatureHeader carries the signature of a call: t= and the time of signing
// in seconds, v1= and the HMAC-SHA256 in hexadecimal digits over that time, a
// dot and the body.
const SignatureHeader = "Trammel-Signature"

// Sign returns the value of the header.
func Sign(secret []byte, now time.Time, body []byte) string {
	t := strconv.FormatInt(now.Unix(), 10)
	return "t=" + t + ",v1=" + hex.EncodeToString(digest(secret, t, body))
}

// Verify is for the server: it checks the header of a request, and that it was
// signed less than the tolerance ago.
func Verify(secret []byte, header string, body []byte, now time.Time, tolerance time.Duration) error {
	first, second, ok := strings.Cut(header, ",")
	t, hasTime := strings.CutPrefix(first, "t=")
	v1, hasDigest := strings.CutPrefix(second, "v1=")
	signed, err := strconv.ParseInt(t, 10, 64)
	if !ok || !hasTime || !hasDigest || err != nil {
		return errors.New("the signature is malformed, expected t=SECONDS,v1=DIGEST")
	}
	got, err := hex.DecodeString(v1)
	if err != nil || !hmac.Equal(got, digest(secret, t, body)) {
		return errors.New("the signature does not match the body and the secret")
	}
	if age := now.Sub(time.Unix(signed, 0)); age > tolerance || age < -tolerance {
		return errors.New("the signature is too old")
	}
	return nil
}

func digest(secret []byte, t string, body []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(t))
	mac.Write([]byte{'.'})
	mac.Write(body)
	return mac.Sum(nil)
}
