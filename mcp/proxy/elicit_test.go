package proxy

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/mcp/frame"
)

// asking is a session in which a rule asks about every call, and whose server's
// settings say that the client's user is asked.
func asking(t *testing.T) *bench {
	b := newBench(t)
	b.Elicit, b.Hold = true, time.Minute // the answer comes at once
	b.judge = func(_ context.Context, ev *trammel.Event) *trammel.Verdict {
		if ev.Kind != trammel.PreToolUse {
			return nil
		}
		return &trammel.Verdict{Event: ev, Answer: trammel.Answer{Decision: trammel.Ask, Reason: "Payments need a person."}}
	}
	return b
}

// greet has a client say what it can do.
func (b *bench) greet(elicitation string) {
	b.client(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{` + elicitation + `},"protocolVersion":"2025-06-18"}}`)
	b.server(`{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}`)
	b.took()
}

const pays = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"sum":5}}}`

// MCP-40: with `elicit: true` the client's user is asked about a call, in the
// client, and only a plain yes lets it pass.
func TestElicit(t *testing.T) {
	for answer, passes := range map[string]bool{
		`"result":{"action":"accept","content":{"approve":true}}`:   true,
		`"result":{"action":"accept","content":{"approve":false}}`:  false,
		`"result":{"action":"accept","content":{"approve":"true"}}`: false,
		`"result":{"action":"accept"}`:                              false,
		`"result":{"action":"decline","content":{"approve":true}}`:  false,
		`"result":{"action":"cancel"}`:                              false,
		`"error":{"code":-32601,"message":"no"}`:                    false,
	} {
		b := asking(t)
		b.greet(`"elicitation":{}`)
		asked := make(chan *frame.Message, 1)
		l := b.link()
		toClient := l.ToClient
		l.ToClient = func(raw []byte) error {
			if m, err := frame.Parse(raw); err == nil && m.Method == elicitation {
				asked <- m
				return nil
			}
			return toClient(raw)
		}
		done := make(chan bool)
		go func() { b.Client(t.Context(), []byte(pays), l)(); close(done) }()
		m := <-asked
		if text, _ := m.Params["message"].(string); !strings.HasPrefix(text, `Trammel asks whether the MCP server "srv" may be called`) ||
			!strings.Contains(text, `{"arguments":{"sum":5},"name":"pay"}`) || !strings.Contains(text, "Payments need a person.") {
			t.Errorf("asked: %s", text)
		}
		b.client(`{"jsonrpc":"2.0","id":` + m.ID + `,` + answer + `}`)
		<-done
		server, client := b.took()
		if passed := server == pays && client == ""; passed != passes || !passes && !strings.Contains(client, `"isError":true`) {
			t.Errorf("%s: to the server %s, to the client %s", answer, server, client)
		}
		b.client(`{"jsonrpc":"2.0","id":` + m.ID + `,"result":{"action":"accept","content":{"approve":true}}}`)
		if server, client := b.took(); server+client != "" {
			t.Errorf("a second answer led to %s %s", server, client)
		}
	}
}

// MCP-40: the client's user is asked only if the settings say so, the client can
// ask, and the user can be shown all of it. An answer that is not on record does
// not count.
func TestNotElicited(t *testing.T) {
	long := strings.Replace(pays, "5", strconv.Quote(strings.Repeat("x", maxShown)), 1)
	for name, c := range map[string]struct {
		can, call string
		off       bool
	}{
		"not wanted":     {`"elicitation":{}`, pays, true},
		"no such client": {``, pays, false},
		"addresses only": {`"elicitation":{"url":{}}`, pays, false},
		"too long":       {`"elicitation":{}`, long, false},
	} {
		b := asking(t)
		b.Elicit, b.Hold = !c.off, time.Minute // nobody answers
		b.greet(c.can)
		b.client(c.call)
		if server, client := b.took(); server != "" || !strings.Contains(client, "nobody to ask here") || strings.Contains(client, elicitation) {
			t.Errorf("%s: to the server %s, to the client %s", name, server, client)
		}
	}
	b := asking(t)
	asks := b.judge
	b.judge = func(ctx context.Context, ev *trammel.Event) *trammel.Verdict {
		if ev.Kind == trammel.ElicitationResult {
			return &trammel.Verdict{Answer: trammel.Denial("the disk is full")}
		}
		return asks(ctx, ev)
	}
	if b.agrees(t.Context(), &exchange{}, map[string]any{"action": "accept", "content": map[string]any{"approve": true}}) {
		t.Error("an answer counts that is not on record")
	}
}

// MCP-40: clients of today are asked in a result, and make the call again. The
// answer counts once, for that call; the server sees the call as it was.
func TestElicitInAResult(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`
	id := 0
	call := func(sum, more string) string {
		id++
		return `{"jsonrpc":"2.0","id":` + strconv.Itoa(id) + `,"method":"tools/call","params":{"name":"pay","arguments":{"sum":` + sum + `},` +
			meta + more + `}}`
	}
	const yes = `,"inputResponses":{"trammel/approval":{"action":"accept","content":{"approve":true}}}`
	b := asking(t)
	ask := func(more string) (state string) {
		t.Helper()
		b.client(call("5", more))
		server, client := b.took()
		m, err := frame.Parse([]byte(client))
		if server != "" || err != nil || m.Result["resultType"] != "input_required" {
			t.Fatalf("to the server %s, to the client %s", server, client)
		}
		return `,"requestState":"` + m.Result["requestState"].(string) + `"`
	}
	passes := func(what, sum, more, want string) {
		t.Helper()
		b.client(call(sum, more))
		server, client := b.took()
		want = strings.ReplaceAll(want, "ID", strconv.Itoa(id))
		if server != want || want == "" && !strings.Contains(client, `"isError":true`) {
			t.Errorf("%s: to the server %s, to the client %s", what, server, client)
		}
	}
	was := `{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"pay","arguments":{"sum":5},` + meta
	state := ask("")
	passes("a yes", "5", yes+state, was+"}}")
	passes("the same again", "5", yes+state, "")
	passes("another call", "6", yes+ask(""), "")
	passes("no", "5", `,"inputResponses":{"trammel/approval":{"action":"decline"}}`+ask(""), "")
	passes("nothing", "5", ask(""), "")
	passes("a state that we never gave", "5", yes+`,"requestState":"trammel/x"`, "")
	const theirs = `,"inputResponses":{"q":{"action":"accept","content":{"a":"b"}}},"requestState":"theirs"`
	passes("in the middle of the server's own questions", "5", yes+ask(theirs), was+theirs+"}}")
}
