package proxy_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/mcp/proxy"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/test/people"
)

// MCP-40: a call that a rule asks about is held, then parked; once a person has
// approved it, a repeat goes through, and only one. MCP-57: all of it is on record.
func TestApprovedOnce(t *testing.T) {
	dir := t.TempDir()
	dirs := trammel.Dirs{State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache"), User: filepath.Join(dir, "user")}
	for _, d := range []string{dirs.State, dirs.User} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	config := "version: 1\napprovals: {ask: true, terms: {mode: auto, hold: 1s}}\n" +
		"hooks:\n  - {id: pay, on: pre_tool_use, match: {tool: mcp__bank__pay}, ask: Payments need a person.}\n"
	if err := os.WriteFile(filepath.Join(dirs.User, "trammel.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := people.SetUp(dirs.State); err != nil {
		t.Fatal(err)
	}
	s := &proxy.Session{ID: "s", Name: "bank", Dir: dir, Judge: proxy.NewPolicy(full.New(dirs), dir)}
	call := func(id string) (toServer, toClient string) {
		l := proxy.Link{
			ToServer: func(raw []byte) error {
				if strings.Contains(string(raw), "tools/list") { // which the proxy asks for itself
					ours := string(raw[strings.Index(string(raw), `"id":`)+5 : strings.Index(string(raw), `,"method"`)])
					s.Server(t.Context(), []byte(`{"jsonrpc":"2.0","id":`+ours+`,"result":{"tools":[{"name":"pay"}]}}`), proxy.Link{})
					return nil
				}
				toServer += string(raw)
				return nil
			},
			ToClient: func(raw []byte) error { toClient += string(raw); return nil },
		}
		rest := s.Client(t.Context(), []byte(`{"jsonrpc":"2.0","id":`+id+
			`,"method":"tools/call","params":{"name":"pay","arguments":{"sum":5}}}`), l)
		rest()
		return toServer, toClient
	}
	if server, client := call("1"); server != "" || !strings.Contains(client, "isError") {
		t.Fatalf("before anybody has decided: to the server %s; to the client %s", server, client)
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	if _, err := people.Decide(ctx, dirs.State, approvals.Settings{}, people.Decision{Approve: true}); err != nil {
		t.Fatal(err)
	}
	if server, client := call("2"); !strings.Contains(server, `"id":2`) || client != "" {
		t.Errorf("approved: to the server %s; to the client %s", server, client)
	}
	if server, client := call("3"); server != "" || !strings.Contains(client, "isError") {
		t.Errorf("once more: to the server %s; to the client %s", server, client)
	}
	logs, _ := filepath.Glob(filepath.Join(dirs.State, "evidence", "*", "*.jsonl"))
	if len(logs) != 1 {
		t.Fatalf("evidence: %v", logs)
	}
	if data, err := os.ReadFile(logs[0]); err != nil || strings.Count(string(data), `"mcp__bank__pay"`) < 3 {
		t.Errorf("%v: the calls are not on record: %s", err, data)
	}
}

// MCP-59: a configuration that cannot be used denies calls; the handshake goes on.
func TestBrokenConfiguration(t *testing.T) {
	dir := t.TempDir()
	dirs := trammel.Dirs{State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache"), User: filepath.Join(dir, "user")}
	os.MkdirAll(dirs.User, 0o700)
	os.WriteFile(filepath.Join(dirs.User, "trammel.yaml"), []byte("version: 1\nhooks: [{id: x}]\n"), 0o600)
	s := &proxy.Session{ID: "s", Name: "bank", Dir: dir, Judge: proxy.NewPolicy(full.New(dirs), dir)}
	var server, client string
	l := proxy.Link{ToServer: func(raw []byte) error { server += string(raw); return nil },
		ToClient: func(raw []byte) error { client += string(raw); return nil }}
	if rest := s.Client(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`), l); rest != nil || server == "" {
		t.Errorf("the handshake: %q", server)
	}
	server = ""
	s.Client(t.Context(), []byte(`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"a://b"}}`), l)()
	if server != "" || !strings.Contains(client, "configuration") {
		t.Errorf("a read: to the server %q, to the client %q", server, client)
	}
}
