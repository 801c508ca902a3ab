package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
)

// The headers of the Standard Webhooks scheme.
const (
	headerID        = "webhook-id"
	headerTime      = "webhook-timestamp"
	headerSignature = "webhook-signature"
)

// minKey is the minimum length of a key, in bytes.
const minKey = 16

// keys reads secrets: whsec_ and base64. There may be several, for rotation;
// the first signs, all of them verify.
func keys(text string) ([][]byte, error) {
	var out [][]byte
	for word := range strings.FieldsSeq(text) {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(word, "whsec_"))
		if err != nil || len(key) < minKey {
			return nil, fmt.Errorf("a secret must be whsec_ and at least %d bytes in base64", minKey)
		}
		out = append(out, key)
	}
	return out, nil
}

// sign is one signature over a message.
func sign(key []byte, id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// verify checks that one of the keys signed the message and that its timestamp
// is recent, and returns its id.
func verify(keys [][]byte, h http.Header, body []byte, now time.Time) (id string, err error) {
	id, timestamp := h.Get(headerID), h.Get(headerTime)
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	switch {
	case len(keys) == 0:
		return "", channels.Unproved("this webhook takes no decisions: it has no secret for them")
	case id == "" || timestamp == "" || h.Get(headerSignature) == "":
		return "", channels.Unproved("the signature is missing")
	case err != nil || !channels.Fresh(now, seconds):
		return "", channels.Unproved("the timestamp is too far from now")
	}
	for given := range strings.FieldsSeq(h.Get(headerSignature)) {
		for _, key := range keys {
			if hmac.Equal([]byte(given), []byte(sign(key, id, timestamp, body))) {
				return id, nil
			}
		}
	}
	return "", channels.Unproved("the signature is wrong")
}
