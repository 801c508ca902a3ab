package standin

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// Webhook is the stand-in for an operator's endpoint.
type Webhook struct {
	s                 *Server
	Secret, Decisions string // of what it gets, and of what it sends
	Callback          string
	received          []map[string]any
	ids               []string
	sent              int
}

func (k *Webhook) serve(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var in map[string]any
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	id, timestamp := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
	want := standardSignature(k.Secret, id, timestamp, string(raw))
	if id == "" || timestamp == "" || !strings.Contains(" "+r.Header.Get("webhook-signature")+" ", " "+want+" ") {
		k.s.t.Errorf("webhook: signature %q of %s", r.Header.Get("webhook-signature"), raw)
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		k.s.t.Errorf("webhook: %v in %s", err, raw)
	}
	k.received, k.ids = append(k.received, in), append(k.ids, id)
	w.WriteHeader(http.StatusNoContent)
}

// Received are the messages about an approval, by type, in order.
func (k *Webhook) Received(approval string) (types []string, last map[string]any) {
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	for _, m := range k.received {
		if at(m, "data", "approval_id") == approval {
			types, last = append(types, str(m, "type")), m
		}
	}
	return types, last
}

// Click sends a decision about an approval that it was told about.
func (k *Webhook) Click(c Click) Answer {
	k.s.t.Helper()
	_, m := k.Received(c.Approval)
	data := map[string]any{"approval_id": c.Approval, "nonce": at(m, "data", "nonce"), "args_sha256": at(m, "data", "args_sha256"),
		"decision": c.Decision, "decider": map[string]any{"id": c.User}}
	if c.Comment != "" {
		data["comment"] = c.Comment
	}
	if c.Tamper == Token {
		data["nonce"] = "guessed"
	}
	text, _ := json.Marshal(map[string]any{"type": "approval.decision", "data": data})
	return k.Send(c, string(text))
}

// Send sends any body, signed.
func (k *Webhook) Send(c Click, body string) Answer {
	k.s.mu.Lock()
	k.sent++
	id := fmt.Sprintf("msg_%d", k.sent)
	k.s.mu.Unlock()
	if c.ID != "" {
		id = c.ID
	}
	timestamp := strconv.FormatInt(k.s.moment(c.Tamper).Unix(), 10)
	signed := standardSignature(k.Decisions, id, timestamp, body)
	if c.Tamper == Signature {
		signed = standardSignature(k.Secret, id, timestamp, body)
	}
	h := http.Header{}
	h.Set("webhook-id", id)
	h.Set("webhook-timestamp", timestamp)
	if c.Tamper != Unsigned {
		h.Set("webhook-signature", "v1,AAAA "+signed)
	}
	if c.Tamper == Body {
		body = strings.Replace(body, c.User, c.User+"x", 1)
	}
	return k.s.post(k.Callback, h, body)
}

func standardSignature(secret, id, timestamp, body string) string {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "." + body))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
