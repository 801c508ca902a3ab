package proxy

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/mcp/frame"
)

// MCP-12, MCP-54: a batch that comes before any list is judged with what the
// server says about its tools; what we ask and say ourselves is no part of it.
func TestBatchBeforeAList(t *testing.T) {
	b := newBench(t)
	b.version, b.memory().known.whole, b.Progress = "2025-03-26", false, time.Millisecond
	told := make(chan struct{})
	b.judge = func(_ context.Context, ev *trammel.Event) *trammel.Verdict {
		if ev.Tool != nil {
			<-told // that it waits
		}
		return nil
	}
	l := b.link()
	toServer, toClient := l.ToServer, l.ToClient
	l.ToServer = func(raw []byte) error {
		if m, err := frame.Parse(raw); err == nil && m.Method == "tools/list" {
			go b.server(`{"jsonrpc":"2.0","id":` + m.ID + `,"result":{"tools":[{"name":"good","description":"Is good."}]}}`)
			return nil
		}
		return toServer(raw)
	}
	l.ToClient = func(raw []byte) error {
		if strings.Contains(string(raw), "notifications/progress") {
			select {
			case <-told:
			default:
				close(told)
			}
			return nil
		}
		return toClient(raw)
	}
	batch := `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"good","_meta":{"progressToken":1}}}]`
	b.Client(t.Context(), []byte(batch), l)()
	b.want("a batch", batch, "")
	last := b.events[len(b.events)-1]
	if last.Fields["tool_description"] != "Is good." {
		t.Errorf("the call was judged with %v", last.Fields)
	}
}

// MCP-30: what a user has typed goes to the server only if it may.
func TestCompletion(t *testing.T) {
	b := newBench(t)
	ask := `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},` +
		`"argument":{"name":"a","value":"secret"}}}`
	b.client(ask)
	b.want("allowed", ask, "")
	if ev := b.events[0]; ev.Kind != trammel.PreToolUse || ev.Tool.Name != "mcp__srv__completion/complete" ||
		ev.Tool.Input["argument"] == nil {
		t.Errorf("judged as %+v of %+v", ev, ev.Tool)
	}
	answer := `{"jsonrpc":"2.0","id":1,"result":{"completion":{"values":["x"]}}}`
	b.server(answer)
	b.want("its answer", "", answer)
	b.judge = denyAll("No.")
	b.client(ask)
	b.want("denied", "", `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"No."}}`)
}

// MCP-34: a tool that hooks hide cannot be called, and one that is not listed is
// judged like any other.
func TestHiddenTools(t *testing.T) {
	b := newBench(t)
	b.judge = func(_ context.Context, ev *trammel.Event) *trammel.Verdict {
		if ev.Kind == trammel.ToolSelection || strings.HasSuffix(ev.Tool.Name, "unlisted") {
			return denyAll("Not here.")(nil, ev)
		}
		return nil
	}
	b.client(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	b.took()
	b.server(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"hidden"}],"ttlMs":5,"cacheScope":"public"}}`)
	b.want("the list", "", `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"ttlMs":0,"cacheScope":"private"}}`)
	for name, why := range map[string]string{"hidden": "The tool hidden is not offered here: Not here.", "unlisted": "Not here."} {
		b.client(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + name + `"}}`)
		b.want(name, "", `{"jsonrpc":"2.0","id":2,"result":{"content":[{"text":"`+why+`","type":"text"}],"isError":true}}`)
	}
}
