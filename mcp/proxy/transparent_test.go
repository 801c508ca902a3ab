package proxy

import (
	"context"
	_ "embed"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

//go:embed testdata/transparent.txt
var transparent string

// MCP-20: each row of the matrix comes out as it went in, whether or not secrets
// are looked for.
func TestTransparency(t *testing.T) {
	for row := range strings.SplitSeq(transparent, "\n== ") {
		name, talk, _ := strings.Cut(row, "\n")
		if strings.HasPrefix(name, "#") {
			continue
		}
		for _, redacts := range []bool{false, true} {
			b := newBench(t)
			b.Sampling, b.redacts = "allow", redacts
			for line := range strings.SplitSeq(talk, "\n") {
				switch from, raw, _ := strings.Cut(line, " "); from {
				case ">":
					b.client(raw)
					b.want(name, raw, "")
				case "<":
					b.server(raw)
					b.want(name, "", raw)
				}
			}
			if len(b.Session.client)+len(b.Session.server) > 0 {
				t.Errorf("%s: %d requests are still open", name, len(b.Session.client)+len(b.Session.server))
			}
		}
	}
}

const key = "AKIAIOSFODNN7EXAMPLZ"

// MCP-56: secrets go from every text, and from nothing else.
func TestRedaction(t *testing.T) {
	for _, c := range []struct{ request, response, want string }{
		{`"tools/call","params":{"name":"x"}`,
			`{"content":[ {"type":"text","text":"key ` + key + `"},{"type":"image","data":"` + key + `"}],"structuredContent":{"a":["` + key +
				`"],"n":1.0}}`,
			`{"content":[ {"type":"text","text":"key [REDACTED:aws-access-key-id]"},{"type":"image","data":"` + key +
				`"}],"structuredContent":{"a":["[REDACTED:aws-access-key-id]"],"n":1.0}}`},
		{`"tools/call","params":{"name":"x"}`, `{"content":[{"type":"text","text":"` + key + `"}],"isError":true}`,
			`{"content":[{"type":"text","text":"[REDACTED:aws-access-key-id]"}],"isError":true}`},
		{`"resources/read","params":{"uri":"a://b"}`, `{"contents":[{"uri":"a://b","text":"` + key + `","blob":"` + key + `"}]}`,
			`{"contents":[{"uri":"a://b","text":"[REDACTED:aws-access-key-id]","blob":"` + key + `"}]}`},
		{`"prompts/get","params":{"name":"p"}`, `{"messages":[{"role":"user","content":{"type":"text","text":"` + key + `"}}]}`,
			`{"messages":[{"role":"user","content":{"type":"text","text":"[REDACTED:aws-access-key-id]"}}]}`},
		{`"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"A"}}`,
			`{"completion":{"values":["a","` + key + `"],"total":2.0}}`,
			`{"completion":{"values":["a","[REDACTED:aws-access-key-id]"],"total":2.0}}`},
	} {
		b := newBench(t)
		b.redacts, b.judge = true, redacting
		b.client(`{"jsonrpc":"2.0","id":1,"method":` + c.request + `}`)
		b.took()
		b.server(`{"jsonrpc":"2.0","id":1,"result":` + c.response + `}`)
		b.want(c.request, "", `{"jsonrpc":"2.0","id":1,"result":`+c.want+`}`)
	}
	b := newBench(t)
	b.redacts = true
	b.server(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + key + `"}}`)
	b.want("a log", "", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"[REDACTED:aws-access-key-id]"}}`)
	b.server(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"` + key + `","progress":1.0,"message":"` + key +
		`"}}`)
	b.want("progress", "", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"`+key+
		`","progress":1.0,"message":"[REDACTED:aws-access-key-id]"}}`)
	b.client(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	b.took()
	b.server(`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m","data":["` + key + `"]}}`)
	b.want("an error", "", `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m","data":["[REDACTED:aws-access-key-id]"]}}`)
}

// MCP-56: what a user or a model answers reaches the server without its secrets, also
// if the client leaves out what says which of them it was.
func TestRedactedAnswers(t *testing.T) {
	for answer, want := range map[string]string{
		`{"action":"accept","content":{"name":"` + key + `"}}`: `{"action":"accept","content":{"name":"[REDACTED:aws-access-key-id]"}}`,
		`{"content":{"type":"text","text":"` + key + `"}}`:     `{"content":{"type":"text","text":"[REDACTED:aws-access-key-id]"}}`,
		`{"action":"accept","content":{"name":"bo"}}`:          `{"action":"accept","content":{"name":"bo"}}`,
	} {
		b := newBench(t)
		b.redacts = true
		b.server(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Your name?"}}`)
		b.took()
		b.client(`{"jsonrpc":"2.0","id":1,"result":` + answer + `}`)
		b.want(answer, `{"jsonrpc":"2.0","id":1,"result":`+want+`}`, "")
	}
}

// redacting does what the policy secrets does with outputs.
func redacting(_ context.Context, ev *trammel.Event) *trammel.Verdict {
	if ev.Tool == nil || !strings.Contains(ev.Tool.Output, key) || ev.Kind != trammel.PostToolUse {
		return nil
	}
	safe := strings.ReplaceAll(ev.Tool.Output, key, "[REDACTED:aws-access-key-id]")
	return &trammel.Verdict{Event: ev, Answer: trammel.Answer{Output: &safe}}
}

// MCP-20, outputSchema: a result without its secrets still is what the tool
// promises, or else an error that says so.
func TestRedactedResultKeepsItsPromise(t *testing.T) {
	for schema, fails := range map[string]bool{
		`{"type":"object","properties":{"k":{"type":"string"}}}`:                      false,
		`{"type":"object","properties":{"k":{"type":"string","pattern":"^AKIA.*$"}}}`: true,
	} {
		b := newBench(t)
		b.redacts, b.judge = true, redacting
		b.client(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		b.server(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"x","outputSchema":` + schema + `}]}}`)
		b.client(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x"}}`)
		b.took()
		b.server(`{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"k":"` + key + `"}}}`)
		if _, client := b.took(); strings.Contains(client, "isError") != fails || strings.Contains(client, key) {
			t.Errorf("%s: %s", schema, client)
		}
	}
}

// MCP-30: what a hook says about a result that is not about secrets.
func TestJudgedResult(t *testing.T) {
	shorter := "short"
	for want, answer := range map[string]trammel.Answer{
		`{"content":[{"type":"text","text":"No."}],"isError":true}`: {Decision: trammel.Deny,
			Reason: "No."},
		`{"content":[{"type":"text","text":"short"}]}`: {Output: &shorter},
		`{"content":[{"type":"text","text":"long"},{"text":"By the way.","type":"text"}],"structuredContent":{"a":1}}`: {Context: []string{"By " +
			"the way."}},
	} {
		b := newBench(t)
		b.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`)
		b.took()
		b.judge = func(_ context.Context, ev *trammel.Event) *trammel.Verdict {
			return &trammel.Verdict{Event: ev, Answer: answer}
		}
		b.server(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"long"}],"structuredContent":{"a":1}}}`)
		b.want("the result", "", `{"jsonrpc":"2.0","id":1,"result":`+want+`}`)
	}
}

// MCP-95: what servers ask of the client and its user, and do not get.
func TestHostileAsks(t *testing.T) {
	elicit := func(params string) string { return `"elicitation/create","params":` + params }
	for _, c := range []struct{ ask, answer string }{
		{`"sampling/createMessage","params":{"messages":[]}`, `"error"`},
		{elicit(`{"message":"?","requestedSchema":{"type":"object","properties":{"password":{"type":"string"}}}}`), `"decline"`},
		{elicit(`{"message":"?","requestedSchema":{"type":"object","properties":{"p\u0430ssword":{"type":"string"}}}}`), `"decline"`},
		{elicit(`{"message":"?","requestedSchema":{"type":"object","properties":{"pass\u200bword":{"type":"string"}}}}`), `"decline"`},
		{elicit(`{"message":"?","requestedSchema":{"type":"object","properties":{"x":{"description":"The password."}}}}`), `"decline"`},
		{elicit(`{"message":"Type your password.","requestedSchema":{"type":"object","properties":{"x":{"type":"string"}}}}`), `"decline"`},
		{elicit(`{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"string","title":"Your API key"}}}}`), `"decline"`},
		{elicit(`{"message":"?","mode":"url","url":"http://example.com/"}`), `"decline"`},
		{elicit(`{"message":"?","mode":"url","url":"https://github.com@evil.example/"}`), `"decline"`},
		{elicit(`{"message":"?","mode":"url","url":"https://xn--gthub-n4a.com/"}`), `"decline"`},
		{elicit(`{"message":"?","mode":"url","url":"https://XN--GTHUB-N4A.com/"}`), `"decline"`},
		{elicit(`{"message":"?","mode":"url","url":"https://login.Xn--gthub-n4a.com/"}`), `"decline"`},
		{elicit(`{"message":"?","mode":"url","url":"https://gіthub.com/"}`), `"decline"`},
		{elicit(`{"message":"?","mode":"url","url":"https://g%D1%96thub.com/"}`), `"decline"`},
		{elicit(`{"message":"?","mode":"url","url":"https://github.com\\@evil.example/"}`), `"decline"`},
		{elicit(`{"message":"?","mode":"url","url":"javascript:alert(1)"}`), `"decline"`},
	} {
		b := newBench(t)
		b.server(`{"jsonrpc":"2.0","id":1,"method":` + c.ask + `}`)
		if server, client := b.took(); client != "" || !strings.Contains(server, c.answer) {
			t.Errorf("%s: to the client %q, to the server %q", c.ask, client, server)
		}
		// the same, inside of a result
		b.client(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
		b.took()
		b.server(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"entry-1":{"method":` +
			c.ask + `}}}}`)
		if _, client := b.took(); !strings.Contains(client, `"isError":true`) || !strings.Contains(client, "entry-1") ||
			strings.Contains(client, "inputRequests") {
			t.Errorf("%s in a result: %s", c.ask, client)
		}
	}
	b := newBench(t)
	b.Sampling = "allow"
	b.server(`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[],"includeContext":"allServers"}}`)
	b.want("the rest of the conversation", "", `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[]}}`)
	for asked, want := range map[string]string{`"maxTokens":5000`: "100", `"maxTokens":7`: "7", `"messages":[]`: "100",
		`"maxTokens":"all"`: "100",
		`"maxTokens":1e9`:   "100"} {
		b = newBench(t)
		b.Sampling, b.SamplingTokens = "allow", 100
		b.server(`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{` + asked + `}}`)
		if _, client := b.took(); !strings.Contains(client, `"maxTokens":`+want+`}`) && !strings.Contains(client, `"maxTokens":`+want+`,`) {
			t.Errorf("asked for %s: %s", asked, client)
		}
	}
	b = newBench(t)
	for _, message := range []string{"Your name?", `The MCP server \"srv\" asks: Your name?`} {
		b.server(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"` + message + `"}}`)
		b.want("who asks", "",
			`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"The MCP server \"srv\" asks: Your name?"}}`)
		b.client(`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`)
		b.took()
	}
}

// MCP-95: swapped inputResponses. A retry is judged again, with what it answers.
func TestRetryIsJudged(t *testing.T) {
	b := newBench(t)
	b.judge = func(_ context.Context, ev *trammel.Event) *trammel.Verdict {
		if ev.Kind == trammel.ElicitationResult {
			return denyAll("Not that.")(nil, ev)
		}
		return nil
	}
	b.client(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","requestState":"s","inputResponses":{"a":{"action":"accept",` +
			`"content":{}}}}}`)
	if server, client := b.took(); server != "" || !strings.Contains(client, "Not that.") {
		t.Errorf("to the server %q, to the client %q", server, client)
	}
}

// MCP-20, tasks: the result of a task is judged as that of its call.
func TestTaskResultIsJudged(t *testing.T) {
	for _, later := range []string{
		`< {"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"t","result":{"content":[{"type":"text","text":"` + key + `"}]}}}`,
		`> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"t"}}` + "\n" +
			`< {"jsonrpc":"2.0","id":2,"result":{"taskId":"t","result":{"content":[{"type":"text","text":"` + key + `"}]}}}`,
		`> {"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"t"}}` + "\n" +
			`< {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"` + key + `"}]}}`,
	} {
		for _, known := range []bool{true, false} {
			b := newBench(t)
			b.redacts, b.judge = true, redacting
			if known {
				b.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","task":{}}}`)
				b.server(`{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"t"}}}`)
			}
			for line := range strings.SplitSeq(later, "\n") {
				if line[0] == '>' {
					b.client(line[2:])
				} else {
					b.server(line[2:])
				}
			}
			last := b.events[len(b.events)-1]
			if _, client := b.took(); strings.Contains(client, key) || known && last.Tool.Name != "mcp__srv__x" || last.Fields["mcp_task"] != "t" {
				t.Errorf("%s: %s; %s", later, client, last.Tool.Name)
			}
		}
	}
}

// MCP-36: a server is called no more often than the settings say; unknown
// methods can be refused (MCP-13).
func TestLimits(t *testing.T) {
	b := newBench(t)
	b.CallsPerMinute, b.Unknown = 2, "deny"
	for range 3 {
		b.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`)
		b.server(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	}
	if server, client := b.took(); strings.Count(server, "\n") != 1 || !strings.Contains(client, "Too many calls") {
		t.Errorf("to the server %q, to the client %q", server, client)
	}
	b.client(`{"jsonrpc":"2.0","id":1,"method":"vendor/own"}`)
	if server, client := b.took(); server != "" || !strings.Contains(client, `"error"`) {
		t.Errorf("to the server %q, to the client %q", server, client)
	}
}
