package proxy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/mcp/proxy"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/test/people"
)

// hook has the agent's own hook judge a call: "allow" if it has nothing to say.
func (r *rig) hook(id, sum string) string {
	r.t.Helper()
	reply := full.New(r.dirs).Answer(r.t.Context(), pipeline.Call{Host: "claude-code", Event: "PreToolUse", Dir: r.dir,
		Getenv: func(string) string { return "" }, Payload: fmt.Appendf(nil, `{"session_id":"agent","cwd":%q,"hook_event_name":"PreToolUse",`+
			`"tool_name":"mcp__bank__pay","tool_input":{"sum":%s},"tool_use_id":%q}`, r.dir, sum, id)})
	var out struct {
		HookSpecificOutput struct {
			PermissionDecision string `json:"permissionDecision"`
		} `json:"hookSpecificOutput"`
	}
	if len(reply.Stdout) == 0 && reply.Exit == 0 {
		return "allow"
	}
	if err := json.Unmarshal(reply.Stdout, &out); err != nil {
		r.t.Errorf("%d %s %s", reply.Exit, reply.Stdout, reply.Stderr)
	}
	return out.HookSpecificOutput.PermissionDecision
}

// called has the client make a call with this id of the model's, or with none.
func (r *rig) called(id, sum string) string {
	meta := ""
	if id != "" {
		meta = `,"_meta":{"claudecode/toolUseId":"` + id + `"}`
	}
	server, _ := r.say(`{"jsonrpc":"2.0","id":"` + id + `","method":"tools/call","params":{"name":"pay","arguments":{"sum":` + sum + `}` +
		meta +
		`}}`)
	if server == "" {
		return "deny"
	}
	if rest := r.Server(r.t.Context(), []byte(`{"jsonrpc":"2.0","id":"`+id+`","result":{"content":[]}}`), silent); rest != nil {
		rest()
	}
	return "allow"
}

var silent = proxy.Link{ToServer: func([]byte) error { return nil }, ToClient: func([]byte) error { return nil }}

// MCP-35: a call that the agent's hook and the proxy both see is one call: both
// judge it, limits count it once, and the user is asked once.
func TestSeenByBoth(t *testing.T) {
	const (
		limit = "version: 1\nhooks:\n  - {id: few, use: rate-limit, on: pre_tool_use, with: {limits: [{max: 2, per: 1h}]}}\n"
		ours  = "version: 1\nhooks:\n  - {id: few, use: rate-limit, on: pre_tool_use, match: {host: mcp}, with: {limits: [{max: 1, per: 1h}]}}\n"
		asks  = "version: 1\nhooks:\n  - {id: pay, on: pre_tool_use, match: {tool: mcp__bank__pay}, ask: Sure?}\n"
		both  = asks + "  - {id: proxy, on: pre_tool_use, match: {host: mcp}, ask: Really?}\n"
	)
	for name, c := range map[string]struct {
		config string
		steps  string // who sees the call: its id and sum, and what comes of it
	}{
		"counted once": {limit, "hook 1 5 allow, proxy 1 5 allow, hook 2 5 allow, proxy 2 5 allow, hook 3 5 deny"},
		"without the client's id": {limit,
			"hook 1 5 allow, proxy - 5 allow, hook 2 6 allow, proxy - 6 allow, hook 3 5 deny, proxy - 5 deny"},
		"equal calls at once":         {limit, "hook 1 5 allow, hook 2 5 allow, proxy 2 5 allow, proxy 1 5 allow, proxy 1 5 deny"},
		"another call":                {limit, "hook 1 5 allow, proxy 1 6 allow, proxy 1 5 allow, proxy 2 5 deny"},
		"a limit of the proxy's own":  {ours, "hook 1 5 allow, proxy 1 5 allow, hook 2 5 allow, proxy 2 5 deny"},
		"the user was asked":          {asks, "hook 1 5 ask, proxy 1 5 allow, proxy 1 5 deny, proxy 2 5 deny"},
		"the user was asked of other": {asks, "hook 1 5 ask, proxy 1 6 deny, proxy 2 5 deny, proxy 1 5 allow"},
		"nobody says which it is":     {asks, "hook 1 5 ask, proxy - 5 deny"},
		"two ask, and the user heard one": {both,
			"hook 1 5 ask, proxy 1 5 deny"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, c.config)
			if err := r.Judge.(*proxy.Policy).Expect(t.Context(), "bank"); err != nil {
				t.Fatal(err)
			}
			for i, step := range strings.Split(c.steps, ", ") {
				words := strings.Fields(step)
				see := r.hook
				if words[0] == "proxy" {
					see = r.called
				}
				if got := see(strings.Trim(words[1], "-"), words[2]); got != words[3] {
					t.Fatalf("step %d, %s: %s", i+1, step, got)
				}
			}
		})
	}
}

// MCP-35: one approval serves both, once, and the records name each other.
func TestOneApprovalServesBoth(t *testing.T) {
	r := newRig(t, "version: 1\nhooks:\n  - {id: pay, on: pre_tool_use, match: {tool: mcp__bank__pay}, approve: {reason: Payments.}}\n")
	if _, err := people.SetUp(r.dirs.State); err != nil {
		t.Fatal(err)
	}
	if err := r.Judge.(*proxy.Policy).Expect(t.Context(), "bank"); err != nil {
		t.Fatal(err)
	}
	out := make(chan string, 1)
	go func() { out <- r.hook("toolu_1", "5") }()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if _, err := people.Decide(ctx, r.dirs.State, approvals.Settings{}, people.Decision{Approve: true}); err != nil {
		t.Fatal(err)
	}
	if got := <-out; got != "allow" {
		t.Fatal(got)
	}
	if got := r.called("toolu_1", "5"); got != "allow" {
		t.Errorf("the proxy: %s", got)
	}
	r.Hold = 2 * time.Second
	if got := r.called("toolu_1", "5"); got != "deny" {
		t.Errorf("once more: %s", got)
	}
	records := r.records()
	hook := slices.IndexFunc(records, func(r record) bool { return r.Host == "claude-code" && r.Event == "pre_tool_use" })
	for _, event := range []string{"pre_tool_use", "post_tool_use"} {
		i := slices.IndexFunc(records, func(r record) bool { return r.Host == "mcp" && r.Event == event })
		if hook < 0 || i < 0 {
			t.Fatalf("%+v", records)
		}
		got, want := records[i], records[hook]
		if got.MCP.Same != want.ID || got.Session.ID != "agent" || got.Tool.ID != "toolu_1" || got.MCP.Session != "s" || got.MCP.Pin == "" {
			t.Errorf("%s: %+v, after %+v", event, got, want)
		}
	}
}

// record is what the tests want to know of one.
type record struct {
	ID, Host, Event, Input string
	Size                   int
	Session, Tool          struct{ ID string }
	MCP                    struct{ Same, Session, Pin, Task, Trace string }
}

func (r *rig) records() (out []record) {
	r.t.Helper()
	for line := range strings.Lines(r.evidence()) {
		var entry struct{ Body record }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			r.t.Fatal(err)
		}
		out = append(out, entry.Body)
	}
	return out
}

// MCP-57: the records of an exchange have the digests and sizes of the very
// bytes, however many they are, the state of the pin, the task and the trace.
func TestRecordsOfAnExchange(t *testing.T) {
	r := newRig(t, "version: 1\n")
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"sum":5},"_meta":{"traceparent":"00-a-b-01"}}}`
	if server, _ := r.say(call); server != call {
		t.Fatal(server)
	}
	results := []string{`{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"t1"}}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"` + strings.Repeat("x", 300<<10) + `"}]}}`}
	for i, result := range results {
		if rest := r.Server(t.Context(), []byte(result), silent); rest != nil {
			rest()
		}
		if i == 0 {
			r.say(`{"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"t1"}}`)
		}
	}
	got := r.records()
	want := []record{{Event: "pre_tool_use", Input: canonical.Digest([]byte(call)), Size: len(call)},
		{Event: "post_tool_use", Input: canonical.Digest([]byte(results[1])), Size: len(results[1])}}
	want[1].MCP.Task = "t1"
	for _, w := range want {
		i := slices.IndexFunc(got, func(r record) bool { return r.Event == w.Event })
		if i < 0 {
			t.Fatalf("%s is not on record: %+v", w.Event, got)
		}
		g := got[i]
		if g.Input != w.Input || g.Size != w.Size || g.MCP.Trace != "00-a-b-01" || g.MCP.Task != w.MCP.Task || g.MCP.Pin == "" {
			t.Errorf("%+v, want %+v", g, w)
		}
	}
}
