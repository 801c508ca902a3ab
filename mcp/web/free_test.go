package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/mcp/proxy"
)

// noted is a judge that notes the sessions of calls.
type noted struct {
	judge
	mu       sync.Mutex
	sessions []string
}

func (n *noted) Judge(ctx context.Context, ev *trammel.Event) *trammel.Verdict {
	if ev.Kind == trammel.PreToolUse {
		n.mu.Lock()
		n.sessions = append(n.sessions, ev.Session.ID)
		n.mu.Unlock()
	}
	return n.judge.Judge(ctx, ev)
}

func (n *noted) session() *proxy.Session {
	s := newSession()
	s.Judge, s.CallsPerMinute = n, 4
	return s
}

// modernCall is a call of a client that has no session, on a connection of its own.
func modernCall(t *testing.T, url, tool, authorization string) reply {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `"},`
	body := strings.Replace(call("1", tool, "{}"), `"params":{`, `"params":{`+meta, 1)
	return ask(t, "POST", url, body, map[string]string{versionHeader: modern, methodHeader: "tools/call", nameHeader: tool,
		"Connection": "close", "Authorization": authorization})
}

// What one client sends without a session belongs together, on whatever
// connections it comes. Its calls are one session for rules (a session that has read
// something stays one that has), count together, and need the list of tools once.
func TestRelayWithoutASession(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		w.Header().Set("Content-Type", jsonBody)
		id := body[strings.Index(body, `"id":`)+5:]
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"fine"}],"content":[]}}`, id[:strings.IndexAny(id, ",}")])
	})
	n := &noted{}
	url := relayWith(t, s, n.session)
	for n := 1; ; n++ {
		got := modernCall(t, url, "fine", "Bearer one")
		if n > 4 && strings.Contains(got.body, "Too many calls") { // one more for each quarter of a minute that this takes
			break
		}
		if got.status != 200 || strings.Contains(got.body, "isError") || n > 100 {
			t.Fatalf("call %d of four a minute: %+v", n, got)
		}
	}
	if got := modernCall(t, url, "fine", "Bearer two"); strings.Contains(got.body, "isError") {
		t.Errorf("another user: %+v", got)
	}
	if lists := s.saw("tools/list"); len(lists) != 2 {
		t.Errorf("the tools were listed %d times for two users", len(lists))
	}
	if all := n.sessions; len(all) < 5 || all[0] != all[len(all)-2] || all[0] == all[len(all)-1] {
		t.Errorf("sessions %v", all)
	}
}

// Two requests with one id at a time need two programs, and are still one session.
func TestProgramWithoutASession(t *testing.T) {
	n := &noted{}
	p, url := frontWith(t, "", n.session)
	done := make(chan reply)
	go func() { done <- modernCall(t, url, "slow", "") }()
	for !p.saw(`"slow"`) {
		time.Sleep(time.Millisecond)
	}
	if got := modernCall(t, url, "fine", ""); got.status != 200 || strings.Contains(got.body, "isError") {
		t.Errorf("%+v", got)
	}
	ask(t, "POST", url, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"`+modern+`"}}}`,
		map[string]string{versionHeader: modern, methodHeader: "notifications/cancelled"})
	<-done
	if p.ran != 2 || len(n.sessions) != 2 || n.sessions[0] != n.sessions[1] {
		t.Errorf("%d ran, sessions %v", p.ran, n.sessions)
	}
}
