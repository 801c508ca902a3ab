package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// Slack is the stand-in for Slack.
type Slack struct {
	s                       *Server
	Token, AppToken, Secret string
	Team, AppID, Channel    string
	Callback                string // the address of who is tested

	messages map[string]*posted
	whispers []string
	view     map[string]any // the dialog that is open
	clicks   int
	deleted  int
	conn     *websocket.Conn
	acks     map[string]chan map[string]any // by the envelope
	closing  int                            // connections that are ended at once
}

type posted struct {
	blocks []any
	text   string
}

func (k *Slack) serve(w http.ResponseWriter, r *http.Request) {
	var in map[string]any
	_ = json.NewDecoder(r.Body).Decode(&in)
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	if got := r.Header.Get("Content-Type"); got != "application/json; charset=utf-8" {
		k.s.t.Errorf("slack: content type %q", got)
	}
	method := strings.TrimPrefix(r.URL.Path, "/api/")
	token := k.Token
	if method == "apps.connections.open" {
		token = k.AppToken
	}
	if r.Method != http.MethodPost || r.Header.Get("Authorization") != "Bearer "+token {
		reply(w, http.StatusOK, map[string]any{"ok": false, "error": "invalid_auth"})
		return
	}
	problem := ""
	out := map[string]any{"ok": true}
	switch method {
	case "chat.postMessage":
		problem = k.postMessage(in, out)
	case "chat.update":
		problem = k.update(in)
	case "views.open":
		problem = k.open(in)
	case "apps.connections.open":
		out["url"] = "ws" + strings.TrimPrefix(k.s.URL, "http") + "/socket?ticket=1"
	default:
		problem = "unknown_method"
	}
	if problem != "" {
		out = map[string]any{"ok": false, "error": problem}
	}
	reply(w, http.StatusOK, out)
}

func (k *Slack) postMessage(in, out map[string]any) (problem string) {
	if in["channel"] != k.Channel {
		return "channel_not_found"
	}
	blocks, _ := in["blocks"].([]any)
	switch {
	case tooLong(blocks):
		return "msg_blocks_too_long"
	case in["thread_ts"] == nil:
		k.check(in)
	}
	ts := fmt.Sprintf("1700000000.%06d", len(k.messages)+k.deleted+1)
	k.messages[ts] = &posted{blocks, str(in, "text")}
	out["channel"], out["ts"] = k.Channel, ts
	return ""
}

func (k *Slack) update(in map[string]any) (problem string) {
	m := k.messages[str(in, "ts")]
	if m == nil || in["channel"] != k.Channel {
		return "message_not_found"
	}
	blocks, _ := in["blocks"].([]any)
	if tooLong(blocks) {
		return "msg_blocks_too_long"
	}
	k.check(in)
	m.blocks, m.text = blocks, str(in, "text")
	return ""
}

// tooLong: Slack says nowhere how much it takes in all; this is what others have
// found.
func tooLong(blocks []any) bool {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(blocks)
	return text.Len() > 13_200
}

// Delete deletes the message about an approval, as anybody there may do.
func (k *Slack) Delete(approval string) {
	_, ts := k.Message(approval)
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	delete(k.messages, ts)
	k.deleted++
}

func (k *Slack) open(in map[string]any) (problem string) {
	if str(in, "trigger_id") == "" || str(in, "view", "type") != "modal" || len(str(in, "view", "title", "text")) > 24 {
		return "invalid_arguments"
	}
	k.view = in["view"].(map[string]any)
	return ""
}

// respond is where whispers go.
func (k *Slack) respond(w http.ResponseWriter, r *http.Request) {
	var in map[string]any
	_ = json.NewDecoder(r.Body).Decode(&in)
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	if in["response_type"] != "ephemeral" || in["replace_original"] != false {
		k.s.t.Errorf("slack: response %v", in)
	}
	k.whispers = append(k.whispers, str(in, "text"))
	_, _ = w.Write([]byte("ok"))
}

// Whispers are what was said to single people; it waits for as many.
func (k *Slack) Whispers(n int) []string {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		k.s.mu.Lock()
		out := k.whispers
		k.s.mu.Unlock()
		if len(out) >= n {
			return out
		}
		time.Sleep(10 * time.Millisecond)
	}
	k.s.t.Errorf("slack: less than %d whispers", n)
	return make([]string, n)
}

// Message is the message about an approval, as people see it.
func (k *Slack) Message(approval string) (blocks []any, ts string) {
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	for ts, m := range k.messages {
		if text, _ := json.Marshal(m.blocks); strings.Contains(string(text), approval) {
			return m.blocks, ts
		}
	}
	return nil, ""
}

// Messages is how many messages there are.
func (k *Slack) Messages() int {
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	return len(k.messages)
}
