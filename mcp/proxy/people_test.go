package proxy_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/pin"
	"github.com/trammel-dev/trammel/mcp/proxy"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/test/people"
)

// rig is a session that is judged by a configuration, with a server that lists
// one tool.
type rig struct {
	*proxy.Session
	t    *testing.T
	dir  string
	dirs trammel.Dirs
	tool string // that the server lists
}

func newRig(t *testing.T, config string) *rig {
	dir := t.TempDir()
	r := &rig{t: t, tool: `{"name":"pay"}`, dir: dir, dirs: trammel.Dirs{State: filepath.Join(dir, "state"),
		Cache: filepath.Join(dir, "cache"),
		User:  filepath.Join(dir, "user")}}
	for _, d := range []string{r.dirs.State, r.dirs.User} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	r.configure(config)
	program := full.New(r.dirs)
	r.Session = &proxy.Session{ID: "s", Name: "bank", Dir: dir, Judge: proxy.NewPolicy(program, dir),
		Pins: &pin.Watch{Store: pin.Store{State: program.State}, Server: pin.Remote("bank", "http://localhost/")}}
	return r
}

func (r *rig) configure(config string) {
	if err := os.WriteFile(filepath.Join(r.dirs.User, "trammel.yaml"), []byte(config), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// say has the client say something, and returns where it led to.
func (r *rig) say(line string) (toServer, toClient string) {
	l := proxy.Link{
		ToServer: func(raw []byte) error {
			if m, err := frame.Parse(raw); err == nil && m.Method == "tools/list" { // which the proxy asks for itself
				r.Server(r.t.Context(), []byte(`{"jsonrpc":"2.0","id":`+m.ID+`,"result":{"tools":[`+r.tool+`]}}`), proxy.Link{})
				return nil
			}
			toServer += string(raw)
			return nil
		},
		ToClient: func(raw []byte) error { toClient += string(raw); return nil },
	}
	if rest := r.Client(r.t.Context(), []byte(line), l); rest != nil {
		rest()
	}
	return toServer, toClient
}

func (r *rig) call(id string) (toServer, toClient string) {
	return r.say(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"pay","arguments":{"sum":5}}}`)
}

// evidence is the text of the only log.
func (r *rig) evidence() string {
	r.t.Helper()
	logs, _ := filepath.Glob(filepath.Join(r.dirs.State, "evidence", "*", "*.jsonl"))
	if len(logs) != 1 {
		r.t.Fatalf("evidence: %v", logs)
	}
	data, err := os.ReadFile(logs[0])
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

const asksPeople = "version: 1\napprovals: {ask: true, terms: {mode: auto, hold: 1s}}\n" +
	"hooks:\n  - {id: pay, on: pre_tool_use, match: {tool: mcp__bank__pay}, ask: Payments need a person.}\n"

// MCP-40: a call that a rule asks about is held, then parked; once a person has
// approved it, a repeat goes through, and only one. MCP-57: all of it is on record.
func TestApprovedOnce(t *testing.T) {
	r := newRig(t, asksPeople)
	if _, err := people.SetUp(r.dirs.State); err != nil {
		t.Fatal(err)
	}
	if server, client := r.call("1"); server != "" || !strings.Contains(client, "isError") {
		t.Fatalf("before anybody has decided: to the server %s; to the client %s", server, client)
	}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	if _, err := people.Decide(ctx, r.dirs.State, approvals.Settings{}, people.Decision{Approve: true}); err != nil {
		t.Fatal(err)
	}
	if server, client := r.call("2"); !strings.Contains(server, `"id":2`) || client != "" {
		t.Errorf("approved: to the server %s; to the client %s", server, client)
	}
	if server, client := r.call("3"); server != "" || !strings.Contains(client, "isError") {
		t.Errorf("once more: to the server %s; to the client %s", server, client)
	}
	if log := r.evidence(); strings.Count(log, `"mcp__bank__pay"`) < 3 {
		t.Errorf("the calls are not on record: %s", log)
	}
}

// MCP-40: no call is held longer than clients wait, however long the terms are:
// then it is parked, and once a person has approved it a repeat goes through.
func TestHeldNoLongerThanClientsWait(t *testing.T) {
	r := newRig(t, strings.Replace(asksPeople, "hold: 1s", "hold: 1h", 1))
	if _, err := people.SetUp(r.dirs.State); err != nil {
		t.Fatal(err)
	}
	for r.Hold = time.Second; ; r.Hold *= 2 { // a slow machine takes longer to ask at all
		server, client := r.call("1")
		if server != "" || !strings.Contains(client, "isError") || r.Hold > 4*time.Minute {
			t.Fatalf("when the time was up: to the server %s; to the client %s", server, client)
		}
		if strings.Contains(client, "again") {
			break
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if _, err := people.Decide(ctx, r.dirs.State, approvals.Settings{}, people.Decision{Approve: true}); err != nil {
		t.Fatal(err)
	}
	if server, client := r.call("2"); !strings.Contains(server, `"id":2`) || client != "" {
		t.Errorf("approved: to the server %s; to the client %s", server, client)
	}
}

// MCP-32: what a server says about its own tools is a claim. It makes no call
// pass that would not pass without it; a rule may be stricter because of it.
func TestHintsOnlyTighten(t *testing.T) {
	const (
		guarded = "version: 1\nhooks:\n  - {id: ro, use: read-only}\n  - {id: paths, use: path-guard, with: {deny: [/etc/**]}}\n"
		strict  = "version: 1\nhooks:\n  - {id: no, on: pre_tool_use, deny: {when: 'fields.tool_annotations.destructiveHint == true', reason: " +
			"no}}\n"
	)
	for name, c := range map[string]struct {
		config, annotations string
		passes              bool
	}{
		"guarded, nothing is said": {guarded, `{}`, false},
		"guarded, it says it only reads": {guarded, `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`,
			false},
		"a rule, nothing is said":     {strict, `{}`, true},
		"a rule, it says it destroys": {strict, `{"destructiveHint":true}`, false},
		"a rule, it says it does not": {strict, `{"destructiveHint":false}`, true},
	} {
		r := newRig(t, c.config)
		r.tool = `{"name":"pay","annotations":` + c.annotations + `}`
		server, client := r.say(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"path":"/etc/passwd","content":"x"}}}`)
		if passed := server != ""; passed != c.passes {
			t.Errorf("%s: to the server %s; to the client %s", name, server, client)
		}
	}
}

// MCP-59: whatever is gone or broken while a session runs, a call that cannot be
// judged, or put on record, gets an answer and never reaches the server; the
// handshake and pings go on.
func TestFailsClosed(t *testing.T) {
	inTheWay := func(path string) error { // nobody can write there, not even root
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		return os.WriteFile(path, nil, 0o600)
	}
	for name, c := range map[string]struct {
		config string // in force from the start on
		harm   func(r *rig) error
		why    string
	}{
		"the policy": {"version: 1\n", func(r *rig) error { r.configure("version: 1\nhooks: [{id: x}]\n"); return nil }, "configuration"},
		"the policy is a directory": {"version: 1\n", func(r *rig) error {
			path := filepath.Join(r.dirs.User, "trammel.yaml")
			return errors.Join(os.Remove(path), os.Mkdir(path, 0o700))
		}, "configuration"},
		"the user's directory": {"version: 1\n", func(r *rig) error { return os.RemoveAll(r.dirs.User) }, "configuration"},
		"evidence":             {"version: 1\n", func(r *rig) error { return inTheWay(filepath.Join(r.dirs.State, "evidence")) }, "evidence"},
		"the store, after a person has approved it": {asksPeople, func(r *rig) error {
			if _, err := people.SetUp(r.dirs.State); err != nil {
				return err
			}
			r.call("1")
			if _, err := people.Decide(r.t.Context(), r.dirs.State, approvals.Settings{}, people.Decision{Approve: true}); err != nil {
				return err
			}
			return inTheWay(filepath.Join(r.dirs.State, "approvals"))
		}, ""},
		"the pins": {"version: 1\n", func(r *rig) error {
			return errors.Join(os.RemoveAll(filepath.Join(r.dirs.State, "mcp")), inTheWay(filepath.Join(r.dirs.State, "mcp")))
		}, "pins"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, c.config)
			if c.config == "version: 1\n" {
				if server, client := r.call("1"); server == "" || client != "" {
					t.Fatalf("before: to the server %q, to the client %q", server, client)
				}
			}
			if err := c.harm(r); err != nil {
				t.Fatal(err)
			}
			var server, client string
			began := time.Now()
			for n := 2; ; n++ { // a configuration is looked at again a moment later
				server, client = r.call(strconv.Itoa(n))
				if server == "" || time.Since(began) > time.Minute || c.config == asksPeople {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			m, err := frame.Parse([]byte(client))
			if server != "" || err != nil || m.Result["isError"] != true || !strings.Contains(client, c.why) {
				t.Fatalf("to the server %q, to the client %q (%v)", server, client, err)
			}
			if server, client := r.say(`{"jsonrpc":"2.0","id":"read","method":"resources/read","params":{"uri":"a://b"}}`); c.why != "pins" &&
				c.config == "version: 1\n" && (server != "" || !strings.Contains(client, `"id":"read","error"`)) {
				t.Errorf("a read: to the server %q, to the client %q", server, client)
			}
			for _, method := range []string{"initialize", "ping", "tools/list"} {
				if server, client := r.say(`{"jsonrpc":"2.0","id":"` + method + `","method":"` + method + `"}`); client != "" ||
					server == "" && method != "tools/list" {
					t.Errorf("%s: to the server %q, to the client %q", method, server, client)
				}
			}
		})
	}
}

// MCP-36: the proxy has the settings of its server, and those of all servers.
func TestSettingsOfAServer(t *testing.T) {
	r := newRig(t, "version: 1\nmcp: {servers: {bank: {auth: resource, authorization_server: 'https://a.example', audience: x}, "+
		"'*': {elicit: true}}}\n")
	s := r.Judge.(*proxy.Policy).Settings("bank")
	if s.Auth != "resource" || s.AuthorizationServer != "https://a.example" || s.Audience != "x" || !s.Elicit {
		t.Errorf("%+v", s)
	}
	if s := r.Judge.(*proxy.Policy).Settings("other"); s.Auth != "" || s.AuthorizationServer != "" || !s.Elicit {
		t.Errorf("of another: %+v", s)
	}
}
