package standin

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Shape is how a click is written.
type Shape struct {
	Legacy bool // the flat shape of older cards
	Text   bool // the button's value as a string
}

// Click clicks on a button of a card. Without such a button nothing is sent,
// and the answer is empty.
func (f *Feishu) Click(c Click, shape Shape) Answer {
	f.s.t.Helper()
	shows, message := f.Card(c.Approval)
	var value any
	walk(shows, func(e map[string]any) {
		if e["name"] == "btn_"+c.Decision+"_"+c.Approval {
			value = at(e["behaviors"].([]any)[0], "value")
		}
	})
	if value == nil {
		return Answer{}
	}
	if shape.Text {
		text, _ := json.Marshal(value)
		value = string(text)
	}
	f.s.mu.Lock()
	f.clicks++
	id, update := fmt.Sprintf("ev_%d", f.clicks), fmt.Sprintf("c-%s.%d", message, f.clicks)
	f.s.mu.Unlock()
	if c.ID != "" {
		id, update = c.ID, "c-"+message+"."+c.ID
	}
	chat := f.Chat
	if c.Tamper == Message {
		message = "om_other"
	}
	if c.Tamper == Chat {
		chat = "oc_other"
	}
	token, app := f.Verification, f.AppID
	if c.Tamper == Token {
		token = "guessed"
	}
	if c.Tamper == App {
		app = "cli_other"
	}
	action := map[string]any{"value": value, "tag": "button", "form_value": map[string]any{"comment": c.Comment}}
	created := strconv.FormatInt(f.s.moment(c.Tamper).UnixMicro(), 10)
	body := map[string]any{"schema": "2.0",
		"header": map[string]any{"event_id": id, "event_type": "card.action.trigger", "create_time": created, "token": token, "app_id": app,
			"tenant_key": "tk"},
		"event": map[string]any{"operator": map[string]any{"open_id": c.User, "user_id": "u", "tenant_key": "tk"}, "token": update,
			"action": action, "host": "im_message", "context": map[string]any{"open_message_id": message, "open_chat_id": chat}}}
	if shape.Legacy {
		body = map[string]any{"open_id": c.User, "open_message_id": message, "tenant_key": "tk", "token": update, "action": action}
		if c.Tamper == Chat {
			body["open_chat_id"] = chat
		}
	}
	return f.send(c, shape, body)
}

// send signs a click, tampers with it, and sends it.
func (f *Feishu) send(c Click, shape Shape, body map[string]any) Answer {
	text, _ := json.Marshal(body)
	if f.EncryptKey != "" && !shape.Legacy {
		text = []byte(`{"encrypt":"` + Encrypt(f.EncryptKey, text) + `"}`)
	}
	h := http.Header{"Content-Type": {"application/json"}}
	timestamp, nonce := strconv.FormatInt(f.s.moment(c.Tamper).Unix(), 10), "n1"
	signed := ""
	switch {
	case shape.Legacy:
		token := f.Verification
		if c.Tamper == Token {
			token = "guessed"
		}
		sum := sha1.Sum([]byte(timestamp + nonce + token + string(text)))
		signed = hex.EncodeToString(sum[:])
	case f.EncryptKey != "":
		sum := sha256.Sum256([]byte(timestamp + nonce + f.EncryptKey + string(text)))
		signed = hex.EncodeToString(sum[:])
	}
	if c.Tamper == Signature && signed != "" {
		signed = strings.Repeat("0", len(signed))
	}
	if signed != "" && c.Tamper != Unsigned {
		h.Set("X-Lark-Request-Timestamp", timestamp)
		h.Set("X-Lark-Request-Nonce", nonce)
		h.Set("X-Lark-Signature", signed)
	}
	sent := string(text)
	if c.Tamper == Body {
		sent = strings.Replace(sent, `":"`, `": "`, 1)
	}
	return f.s.post(f.Callback, h, sent)
}

// Encrypt encrypts a callback as Feishu does.
func Encrypt(key string, plain []byte) string {
	sum := sha256.Sum256([]byte(key))
	block, _ := aes.NewCipher(sum[:])
	iv := []byte("0123456789abcdef")
	n := aes.BlockSize - len(plain)%aes.BlockSize
	padded := append(append([]byte{}, plain...), strings.Repeat(string(rune(n)), n)...)
	out := make([]byte, len(padded))
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(out, padded)
	return base64.StdEncoding.EncodeToString(append(iv, out...))
}
