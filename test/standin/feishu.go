package standin

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Feishu is the stand-in for Feishu.
type Feishu struct {
	s                *Server
	AppID, AppSecret string
	Chat             string
	Verification     string // the verification token
	EncryptKey       string
	Callback         string // the address of who is tested

	tokens   int    // how many were given out
	token    string // the one that is good
	expire   int
	messages map[string]*card
	uuids    map[string]string
	clicks   int
	deleted  int
}

type card struct {
	chat  string
	shows map[string]any
}

// ExpireToken makes the token that was given out useless.
func (f *Feishu) ExpireToken() {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	f.token = "gone"
}

// Tokens is how many tokens were given out.
func (f *Feishu) Tokens() int {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	return f.tokens
}

func (f *Feishu) serve(w http.ResponseWriter, r *http.Request) {
	var in map[string]any
	raw, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(raw, &in)
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	if len(raw) > 30<<10 {
		f.s.t.Errorf("feishu: a request of %d bytes", len(raw))
	}
	if got := r.Header.Get("Content-Type"); got != "application/json; charset=utf-8" {
		f.s.t.Errorf("feishu: content type %q", got)
	}
	path, auth := r.Method+" "+r.URL.Path, r.Header.Get("Authorization")
	switch {
	case path == "POST /open-apis/auth/v3/tenant_access_token/internal":
		f.giveToken(w, in)
	case auth != "Bearer "+f.token:
		reply(w, http.StatusBadRequest, map[string]any{"code": 99991663, "msg": "Invalid access token"})
	case path == "POST /open-apis/im/v1/messages":
		f.create(w, r, in)
	case strings.HasPrefix(path, "PATCH /open-apis/im/v1/messages/"):
		f.patch(w, strings.TrimPrefix(path, "PATCH /open-apis/im/v1/messages/"), in)
	case path == "POST /open-apis/interactive/v1/card/update":
		f.late(w, in)
	default:
		f.s.t.Errorf("feishu: %s", path)
		reply(w, http.StatusNotFound, map[string]any{"code": 404})
	}
}

func (f *Feishu) giveToken(w http.ResponseWriter, in map[string]any) {
	if in["app_id"] != f.AppID || in["app_secret"] != f.AppSecret {
		reply(w, http.StatusOK, map[string]any{"code": 10014, "msg": "app secret invalid"})
		return
	}
	f.tokens++
	f.token = fmt.Sprintf("t-%d", f.tokens)
	reply(w, http.StatusOK, map[string]any{"code": 0, "msg": "ok", "tenant_access_token": f.token, "expire": f.expire})
}

func (f *Feishu) create(w http.ResponseWriter, r *http.Request, in map[string]any) {
	uuid := str(in, "uuid")
	switch {
	case r.URL.Query().Get("receive_id_type") != "chat_id" || in["receive_id"] != f.Chat:
		reply(w, http.StatusBadRequest, map[string]any{"code": 230002, "msg": "Bot is not in the chat"})
		return
	case uuid == "" || len(uuid) > 50:
		f.s.t.Errorf("feishu: uuid %q", uuid)
	}
	id, again := f.uuids[uuid]
	if !again {
		id = fmt.Sprintf("om_%d", len(f.messages)+f.deleted+1)
		if in["msg_type"] == "text" {
			f.text(in)
			f.messages[id] = &card{chat: f.Chat}
		} else {
			f.messages[id] = &card{f.Chat, f.read(in["content"])}
		}
		if f.uuids == nil {
			f.uuids = map[string]string{}
		}
		f.uuids[uuid] = id
	}
	reply(w, http.StatusOK, map[string]any{"code": 0, "msg": "success", "data": map[string]any{"message_id": id, "chat_id": f.Chat,
		"msg_type": in["msg_type"]}})
}

func (f *Feishu) text(in map[string]any) {
	var content struct{ Text string }
	if err := json.Unmarshal([]byte(str(in, "content")), &content); err != nil || content.Text == "" {
		f.s.t.Errorf("feishu: a text message says %v", in["content"])
	}
}

func (f *Feishu) patch(w http.ResponseWriter, id string, in map[string]any) {
	m := f.messages[id]
	if m == nil {
		reply(w, http.StatusBadRequest, map[string]any{"code": 230011, "msg": "The message was withdrawn."})
		return
	}
	m.shows = f.read(in["content"])
	reply(w, http.StatusOK, map[string]any{"code": 0, "msg": "success"})
}

// late is an update with the token of a click.
func (f *Feishu) late(w http.ResponseWriter, in map[string]any) {
	id, _, ok := strings.Cut(strings.TrimPrefix(str(in, "token"), "c-"), ".")
	shows, _ := in["card"].(map[string]any)
	if m := f.messages[id]; ok && m != nil {
		f.check(shows)
		m.shows = shows
		reply(w, http.StatusOK, map[string]any{"code": 0})
		return
	}
	reply(w, http.StatusOK, map[string]any{"code": 300050, "msg": "bad token"})
}

// read reads the content of a message: a card, as a string.
func (f *Feishu) read(content any) map[string]any {
	text, ok := content.(string)
	var shows map[string]any
	if err := json.Unmarshal([]byte(text), &shows); !ok || err != nil {
		f.s.t.Errorf("feishu: the content is not JSON in a string: %v", content)
		return nil
	}
	f.check(shows)
	return shows
}

// Card is the card about an approval, as people see it, and its message; nil if
// there is none.
func (f *Feishu) Card(approval string) (shows map[string]any, message string) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	for id, m := range f.messages {
		if text, _ := json.Marshal(m.shows); strings.Contains(string(text), approval) {
			return m.shows, id
		}
	}
	return nil, ""
}

// Delete takes the message about an approval back.
func (f *Feishu) Delete(approval string) {
	_, id := f.Card(approval)
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	delete(f.messages, id)
	f.deleted++
}

// Messages is how many messages there are.
func (f *Feishu) Messages() int {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	return len(f.messages)
}
