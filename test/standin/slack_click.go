package standin

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// patience is how long an acknowledgement may take. Slack waits three seconds; a busy machine may need more.
const patience = time.Minute

// Click clicks on a button of a message. Without such a button nothing is sent,
// and the answer is empty.
func (k *Slack) Click(c Click) Answer {
	k.s.t.Helper()
	blocks, ts := k.Message(c.Approval)
	value := ""
	walk(blocks, func(e map[string]any) {
		if e["action_id"] == "hook_"+c.Decision {
			value = str(e, "value")
		}
	})
	if value == "" {
		return Answer{}
	}
	channel := k.Channel
	if c.Tamper == Chat {
		channel = "C_other"
	}
	if c.Tamper == Message {
		ts = "1600000000.000001"
	}
	return k.send(c, map[string]any{"type": "block_actions", "trigger_id": "1.2.x", "response_url": k.s.URL + "/respond/1",
		"container": map[string]any{"type": "message", "message_ts": ts, "channel_id": channel},
		"channel":   map[string]any{"id": channel}, "message": map[string]any{"ts": ts}, "state": map[string]any{"values": map[string]any{}},
		"actions": []any{map[string]any{"type": "button", "block_id": c.Approval, "action_id": "hook_" + c.Decision, "value": value,
			"action_ts": k.id(c)}}})
}

// Submit fills in the dialog that is open.
func (k *Slack) Submit(c Click) Answer {
	k.s.t.Helper()
	k.s.mu.Lock()
	view := k.view
	k.view = nil
	k.s.mu.Unlock()
	if view == nil {
		k.s.t.Error("slack: no dialog is open")
		return Answer{}
	}
	values := map[string]any{"r": map[string]any{"reason": map[string]any{"type": "plain_text_input", "value": c.Comment}}}
	return k.send(c, map[string]any{"type": "view_submission", "view": map[string]any{"id": k.id(c), "type": "modal",
		"callback_id": view["callback_id"], "private_metadata": view["private_metadata"], "state": map[string]any{"values": values}}})
}

func (k *Slack) id(c Click) string {
	if c.ID != "" {
		return c.ID
	}
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	k.clicks++
	return fmt.Sprintf("1700000005.%d", k.clicks)
}

// send signs what somebody did, tampers with it, and sends it; or sends it over
// the socket, if there is one.
func (k *Slack) send(c Click, payload map[string]any) Answer {
	payload["team"], payload["api_app_id"] = map[string]any{"id": k.Team, "domain": "d"}, k.AppID
	payload["user"] = map[string]any{"id": c.User, "username": c.User, "team_id": k.Team}
	switch c.Tamper {
	case App:
		payload["api_app_id"] = "A_other"
	case Team:
		payload["team"] = map[string]any{"id": "T_other"}
	}
	k.s.mu.Lock()
	conn := k.conn
	k.s.mu.Unlock()
	if conn != nil {
		return k.overSocket(conn, payload)
	}
	text, _ := json.Marshal(payload)
	body := "payload=" + url.QueryEscape(string(text))
	timestamp := strconv.FormatInt(k.s.moment(c.Tamper).Unix(), 10)
	mac := hmac.New(sha256.New, []byte(k.Secret))
	mac.Write([]byte("v0:" + timestamp + ":" + body))
	signed := "v0=" + hex.EncodeToString(mac.Sum(nil))
	if c.Tamper == Signature {
		signed = "v0=" + strings.Repeat("0", 64)
	}
	h := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	h.Set("x-slack-request-timestamp", timestamp)
	if c.Tamper != Unsigned {
		h.Set("x-slack-signature", signed)
	}
	if c.Tamper == Body {
		body = strings.Replace(body, c.User, c.User+"x", 1)
	}
	return k.s.post(k.Callback, h, body)
}

// socket is the other end of Socket Mode.
func (k *Slack) socket(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		k.s.t.Errorf("slack: %v", err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		select {
		case <-k.s.done:
			_ = conn.CloseNow()
		case <-ctx.Done():
		}
	}()
	_ = conn.Write(ctx, websocket.MessageText, []byte(`{"type":"hello"}`))
	k.s.mu.Lock()
	if k.closing--; k.closing >= 0 {
		k.s.mu.Unlock()
		_ = conn.Write(ctx, websocket.MessageText, []byte(`{"type":"disconnect","reason":"warning"}`))
		<-r.Context().Done()
		return
	}
	k.conn = conn
	k.s.mu.Unlock()
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var in map[string]any
		_ = json.Unmarshal(data, &in)
		k.s.mu.Lock()
		acked := k.acks[str(in, "envelope_id")]
		k.s.mu.Unlock()
		if acked == nil {
			k.s.t.Errorf("slack: acknowledged %v, which was not sent", in)
			continue
		}
		acked <- in
	}
}

// EndAtOnce has the next n connections ended as soon as they are there.
func (k *Slack) EndAtOnce(n int) {
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	k.closing = n
}

// Connected waits until somebody listens.
func (k *Slack) Connected() {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		k.s.mu.Lock()
		there := k.conn != nil
		k.s.mu.Unlock()
		if there {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	k.s.t.Fatal("slack: no client is connected")
}

// Disconnect tells the other side to connect again, as Slack does now and then;
// the old socket stays open for a while.
func (k *Slack) Disconnect() {
	k.s.mu.Lock()
	conn := k.conn
	k.conn = nil
	k.s.mu.Unlock()
	if conn != nil {
		_ = conn.Write(context.Background(), websocket.MessageText, []byte(`{"type":"disconnect","reason":"refresh_requested"}`))
	}
}

func (k *Slack) overSocket(conn *websocket.Conn, payload map[string]any) Answer {
	envelope, acked := k.id(Click{}), make(chan map[string]any, 1)
	k.s.mu.Lock()
	if k.acks == nil {
		k.acks = map[string]chan map[string]any{}
	}
	k.acks[envelope] = acked
	k.s.mu.Unlock()
	text, _ := json.Marshal(map[string]any{"envelope_id": envelope, "type": "interactive", "accepts_response_payload": true,
		"payload": payload})
	if err := conn.Write(k.s.t.Context(), websocket.MessageText, text); err != nil {
		k.s.t.Error(err)
		return Answer{}
	}
	select {
	case ack := <-acked:
		body, _ := ack["payload"].(map[string]any)
		return Answer{Status: http.StatusOK, Body: body}
	case <-time.After(patience):
		k.s.t.Error("slack: not acknowledged")
	}
	return Answer{}
}
