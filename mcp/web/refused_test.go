package web

import (
	"strings"
	"sync"
	"testing"

	"github.com/trammel-dev/trammel/mcp/proxy"
)

// notes is a judge that remembers what is recorded.
type notes struct {
	judge
	mu   sync.Mutex
	list []proxy.Note
}

func (n *notes) Note(note proxy.Note) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, note)
}

// MCP-12: a message that is refused before it reaches a server is on record.
func TestRefusedMessagesAreRecorded(t *testing.T) {
	record := &notes{}
	_, url := frontWith(t, "", func() *proxy.Session {
		s := newSession()
		s.Judge = record
		return s
	})
	for _, c := range []struct{ name, body, version string }{
		{"not JSON", "{", ""},
		{"several at once", "[" + call("1", "fine", "{}") + "]", ""},
		{"too large", call("1", "fine", `{"a":"`+strings.Repeat("x", 1<<16)+`"}`), ""},
		{"a key twice", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}`, ""},
		{"no version in the message", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, modern},
	} {
		before := len(record.list)
		ask(t, "POST", url, c.body, map[string]string{versionHeader: c.version, methodHeader: "ping"})
		if got := record.list[before:]; len(got) != 1 || got[0].What != "refused" || got[0].Detail == "" {
			t.Errorf("%s: recorded %+v", c.name, got)
		}
	}
}
