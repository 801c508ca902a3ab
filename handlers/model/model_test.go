package model

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// Case 24 of docker-agent, and issue 4, point 6: the right verdict, or a
// failure that blocks.
func TestReplies(t *testing.T) {
	const failure = trammel.Deny // what a failure of a guard comes to
	type want struct {
		decision trammel.Decision
		code     trammel.Code
	}
	ok := func(d trammel.Decision) want { return want{d, ""} }
	closed := want{failure, trammel.CodeMalformed}
	texts := map[string]struct {
		text string
		want want
	}{
		"clean":      {`{"decision":"deny","reason":"no"}`, ok(trammel.Deny)},
		"allow":      {`{"decision":"allow","reason":"fine"}`, ok(trammel.Allow)},
		"ask":        {`{"decision":"ask","reason":"hm"}`, ok(trammel.Ask)},
		"upper case": {`{"decision":"DENY","reason":"NO"}`, ok(trammel.Deny)},
		"fence":      {"```json\n{\"decision\":\"ask\",\"reason\":\"x\"}\n```", ok(trammel.Ask)},
		"prose": {"I looked at {it} closely.\n{\"decision\": \"deny\", \"reason\": \"a } in it\"}\nHope that helps!",
			ok(trammel.Deny)},
		"further fields":               {`{"decision":"deny","reason":"no","confidence":0.9}`, ok(trammel.Deny)},
		"no reason":                    {`{"decision":"deny"}`, ok(trammel.Deny)},
		"the same twice":               {`{"decision":"allow","reason":"a"} so: {"decision":"Allow","reason":"b"}`, ok(trammel.Allow)},
		"contradiction":                {`{"decision":"allow","reason":"a"}` + "\n" + `{"decision":"deny","reason":"b"}`, closed},
		"empty":                        {"", closed},
		"blanks":                       {" \n\t", closed},
		"no JSON":                      {"Looks fine to me, allow it.", closed},
		"maybe":                        {`{"decision":"maybe","reason":"x"}`, closed},
		"none":                         {`{"decision":"none","reason":"x"}`, closed},
		"not a word":                   {`{"decision":true}`, closed},
		"no decision":                  {`{"verdict":"allow"}`, closed},
		"nested":                       {`{"result":{"decision":"allow"}}`, closed},
		"cut off":                      {`{"decision":"allow","reason":"`, closed},
		"cut off around another":       {`{"decision":"deny","reason": x, "quote": {"decision":"allow"}`, closed},
		"a key twice":                  {`{"decision":"deny","decision":"allow"}`, closed},
		"a list":                       {`["allow"]`, closed},
		"single quotes":                {`{'decision':'allow'}`, closed},
		"nothing but braces":           {strings.Repeat("{", 100000) + `{"decision":"allow"}`, closed},
		"a decision lost among braces": {`{"decision":"allow"}` + strings.Repeat("{ ", 200) + `{"decision":"deny"}`, closed},
		"refusal in words":             {"I can't help with that.", closed},
	}
	for endpoint, says := range map[string]func(string) string{"openai": openaiSays, "anthropic": anthropicSays} {
		for name, c := range texts {
			t.Run(endpoint+"/"+name, func(t *testing.T) {
				s := newStandIn(t, func(w http.ResponseWriter, _ int) { io.WriteString(w, says(c.text)) })
				v := dispatch(t, event("ls"), build(t, s.judge(endpoint)))
				if v.Decision != c.want.decision || v.Runs[0].Code != c.want.code || s.calls() != 1 {
					t.Errorf("%v, %s: %s, after %d calls", v.Decision, v.Runs[0].Code, v.Runs[0].Detail, s.calls())
				}
				if v.Granted {
					t.Error("a model granted")
				}
			})
		}
	}
}

func TestResponses(t *testing.T) {
	choice := func(message, reason string) string {
		return `{"choices":[{"message":` + message + `,"finish_reason":"` + reason + `"}],"usage":{"prompt_tokens":5,"completion_tokens":1}}`
	}
	const allow = `{"decision":"allow","reason":"x"}`
	for name, c := range map[string]struct {
		endpoint string
		body     string
		want     trammel.Decision
		code     trammel.Code
	}{
		"openai refusal": {"openai", choice(`{"content":null,"refusal":"I cannot judge this"}`, "stop"), trammel.Deny,
			trammel.CodeMalformed},
		"openai refusal with text": {"openai", choice(`{"content":`+quoted(allow)+`,"refusal":"no"}`, "stop"), trammel.Deny,
			trammel.CodeMalformed},
		"openai content filter":      {"openai", choice(`{"content":`+quoted(allow)+`}`, "content_filter"), trammel.Deny, trammel.CodeMalformed},
		"openai length":              {"openai", choice(`{"content":`+quoted(allow)+`}`, "length"), trammel.Deny, trammel.CodeMalformed},
		"openai no choices":          {"openai", `{"choices":[]}`, trammel.Deny, trammel.CodeMalformed},
		"openai two choices":         {"openai", `{"choices":[{},{}]}`, trammel.Deny, trammel.CodeMalformed},
		"openai content is a list":   {"openai", choice(`{"content":[{"text":"x"}]}`, "stop"), trammel.Deny, trammel.CodeMalformed},
		"openai malformed":           {"openai", `{"choices":[`, trammel.Deny, trammel.CodeMalformed},
		"openai not JSON":            {"openai", `<html>`, trammel.Deny, trammel.CodeMalformed},
		"openai nothing":             {"openai", ``, trammel.Deny, trammel.CodeMalformed},
		"openai null message":        {"openai", `{"choices":[{"message":null}]}`, trammel.Deny, trammel.CodeMalformed},
		"anthropic tool":             {"anthropic", anthropicCalls(`{"decision":"deny","reason":"no"}`), trammel.Deny, ""},
		"anthropic tool, upper case": {"anthropic", anthropicCalls(`{"decision":"ALLOW","reason":"no"}`), trammel.Allow, ""},
		"anthropic tool, maybe":      {"anthropic", anthropicCalls(`{"decision":"maybe"}`), trammel.Deny, trammel.CodeMalformed},
		"anthropic tool, empty":      {"anthropic", anthropicCalls(`{}`), trammel.Deny, trammel.CodeMalformed},
		"anthropic other tool": {"anthropic", strings.Replace(anthropicCalls(allow), "pre_tool_use_decision", "bash", 1), trammel.Deny,
			trammel.CodeMalformed},
		"anthropic refusal": {"anthropic", strings.Replace(anthropicSays(allow), "end_turn", "refusal", 1), trammel.Deny,
			trammel.CodeMalformed},
		"anthropic max tokens": {"anthropic", strings.Replace(anthropicSays(allow), "end_turn", "max_tokens", 1), trammel.Deny,
			trammel.CodeMalformed},
		"anthropic no content": {"anthropic", `{"content":[],"stop_reason":"end_turn"}`, trammel.Deny, trammel.CodeMalformed},
		"anthropic text and tool contradict": {"anthropic", `{"content":[{"type":"text","text":` + quoted(allow) +
			`},{"type":"tool_use","name":"pre_tool_use_decision","input":{"decision":"deny","reason":"r"}}],"stop_reason":"tool_use"}`,
			trammel.Deny, trammel.CodeMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStandIn(t, func(w http.ResponseWriter, _ int) { io.WriteString(w, c.body) })
			v := dispatch(t, event("ls"), build(t, s.judge(c.endpoint, "temperature", 0.0)))
			if v.Decision != c.want || v.Runs[0].Code != c.code {
				t.Errorf("%v, %s: %s", v.Decision, v.Runs[0].Code, v.Runs[0].Detail)
			}
		})
	}
}

// 429 and 500 are repeated and then fail closed; a wrong key is not repeated.
func TestStatuses(t *testing.T) {
	for name, c := range map[string]struct {
		statuses []int
		calls    int
		code     trammel.Code
	}{
		"429, then an answer": {[]int{429, 200}, 2, ""},
		"500, then an answer": {[]int{500, 200}, 2, ""},
		"529, then an answer": {[]int{529, 200}, 2, ""},
		"429 for ever":        {[]int{429}, 3, trammel.CodeUnavailable},
		"500 for ever":        {[]int{500}, 3, trammel.CodeUnavailable},
		"401":                 {[]int{401}, 1, trammel.CodeError},
		"400":                 {[]int{400}, 1, trammel.CodeError},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStandIn(t, func(w http.ResponseWriter, n int) {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(c.statuses[min(n, len(c.statuses))-1])
				if n <= len(c.statuses) && c.statuses[n-1] == 200 {
					io.WriteString(w, openaiSays(`{"decision":"allow","reason":"x"}`))
				} else {
					io.WriteString(w, `{"error":{"message":"bad key `+token("sk-proj-", 48)+`"}}`)
				}
			})
			v := dispatch(t, event("ls"), build(t, s.judge("openai")))
			want := trammel.Allow
			if c.code != "" {
				want = trammel.Deny
			}
			if v.Decision != want || v.Runs[0].Code != c.code || s.calls() != c.calls {
				t.Errorf("%v, %s: %s, after %d calls", v.Decision, v.Runs[0].Code, v.Runs[0].Detail, s.calls())
			}
			if strings.Contains(v.Runs[0].Detail+v.Reason, token("", 48)[:10]) {
				t.Errorf("the key is told: %s", v.Runs[0].Detail)
			}
		})
	}
}

// token is the same every time, and looks as if it were not.
func token(prefix string, n int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	r := rand.New(rand.NewPCG(1, 2))
	out := []byte(prefix)
	for range n {
		out = append(out, letters[r.IntN(len(letters))])
	}
	return string(out)
}

func TestTimeoutFailsClosed(t *testing.T) {
	stop := make(chan struct{})
	s := newStandIn(t, func(http.ResponseWriter, int) { <-stop })
	t.Cleanup(func() { close(stop) })
	engine, err := trammel.New([]trammel.Hook{{ID: "j", On: []trammel.Kind{trammel.PreToolUse}, Handler: build(t, s.judge("openai")),
		May: trammel.Guard, Timeout: 150 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	v := engine.Dispatch(context.Background(), event("ls"))
	if v.Decision != trammel.Deny || v.Runs[0].Code != trammel.CodeTimeout || time.Since(began) > time.Minute {
		t.Errorf("%v, %s after %v", v.Decision, v.Runs[0].Code, time.Since(began))
	}
}

// DA-12: several model hooks on one event all run, at the same time.
func TestTwoJudgesBothRun(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	s := newStandIn(t, func(w http.ResponseWriter, n int) {
		both.Done()
		both.Wait() // each waits for the other
		io.WriteString(w, openaiSays([]string{`{"decision":"allow","reason":"a"}`, `{"decision":"deny","reason":"b"}`}[n-1]))
	})
	v := dispatch(t, event("ls"), build(t, s.judge("openai")), build(t, s.judge("openai")))
	if v.Decision != trammel.Deny || v.Reason != "b" || len(v.Runs) != 2 || s.calls() != 2 {
		t.Errorf("%v, %q, %d runs", v.Decision, v.Reason, len(v.Runs))
	}
}
