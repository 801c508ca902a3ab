package model

import (
	"bufio"
	"bytes"
	std "cmp"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

var script = Script{
	Turns: []Turn{
		{Text: "now", Calls: []Call{{Name: "Bash", Input: map[string]any{"command": "ls"}}}},
		Say("done"),
	},
	Agents: []Agent{{When: "the helper", Turns: []Turn{Say("helped")}}},
}

// TestAnthropicRequests sends good and bad requests: a good one is answered
// and nothing is noted, a bad one is refused and noted once.
func TestAnthropicRequests(t *testing.T) {
	raw, err := os.ReadFile("testdata/anthropic.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name, Method, Path, Raw, Violation string
		Header                             map[string]string
		Body                               jsontext.Value
	}
	if err := json.Unmarshal(raw, &cases, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			s := Start(script)
			defer s.Close()
			if c.Raw == "" {
				c.Raw = string(c.Body)
			}
			res, _ := send(t, s, std.Or(c.Method, "POST"), std.Or(c.Path, "/v1/messages"), c.Raw, c.Header)
			got := s.Violations()
			if c.Violation == "" {
				if res.StatusCode != 200 || len(got) > 0 {
					t.Errorf("status %d, violations %q, expected 200 and none", res.StatusCode, got)
				}
				return
			}
			if res.StatusCode/100 != 4 || len(got) != 1 || !strings.Contains(got[0], c.Violation) {
				t.Errorf("status %d, violations %q, expected a refusal because of %q", res.StatusCode, got, c.Violation)
			}
		})
	}
}

const first = `{"model":"m","max_tokens":1,"stream":true,"system":"be good","tools":[{"name":"Bash","input_schema":{}}],` +
	`"messages":[{"role":"user","content":"do it"}]}`

// TestAnthropicStream reads a reply as an agent does: the pieces of a large
// argument add up to what the script wanted.
func TestAnthropicStream(t *testing.T) {
	content := strings.Repeat("ß\n\"", 40_000)
	s := Start(Script{Turns: []Turn{{Text: "so", Calls: []Call{{Name: "Write", Input: map[string]any{"content": content}}}}}})
	defer s.Close()
	res, body := send(t, s, "POST", "/v1/messages", first, nil)
	if ct := res.Header.Get("Content-Type"); ct != "text/event-stream" {
		t.Errorf("content type %q", ct)
	}
	var kinds []string
	var text, input, stop string
	for lines := bufio.NewReader(bytes.NewReader(body)); ; {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break
		}
		if kind, ok := strings.CutPrefix(line, "event: "); ok {
			if kind = strings.TrimSpace(kind); len(kinds) == 0 || kinds[len(kinds)-1] != kind {
				kinds = append(kinds, kind)
			}
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var ev struct {
			Delta struct {
				Text        string `json:"text"`
				PartialJSON string `json:"partial_json"`
				StopReason  string `json:"stop_reason"`
			} `json:"delta"`
		}
		if err := json.Unmarshal([]byte(data), &ev); err != nil {
			t.Fatal(err)
		}
		text += ev.Delta.Text
		input += ev.Delta.PartialJSON
		stop += ev.Delta.StopReason
	}
	want := strings.Fields("message_start content_block_start content_block_delta content_block_stop content_block_start " +
		"content_block_delta " +
		"content_block_stop message_delta message_stop")
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(input), &got); err != nil {
		t.Fatal(err)
	}
	if text != "so" || stop != "tool_use" || got["content"] != content {
		t.Errorf("text %q, stop %q, %d bytes of content, expected %d", text, stop, len(got["content"].(string)), len(content))
	}
}

// TestRecord asks what the server remembers of a conversation.
func TestRecord(t *testing.T) {
	s := Start(script)
	defer s.Close()
	send(t, s, "HEAD", "/", "", nil)
	send(t, s, "POST", "/v1/messages/count_tokens", first, nil)
	send(t, s, "POST", "/v1/messages", first, nil)
	if diff := cmp.Diff([]string{"part 0 turn 1", "part 1 turn 0"}, s.Unplayed()); diff != "" {
		t.Errorf("unplayed (-want +got):\n%s", diff)
	}
	second := strings.Replace(first, `"content":"do it"}`, `"content":"do it"},
		{"role":"assistant","content":[{"type":"text","text":"now"},
			{"type":"tool_use","id":"toolu_0_0_0","name":"Bash","input":{"command":"pwd"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_0_0_0","content":"no","is_error":true},
			{"type":"text","text":"hint"}]}`, 1)
	send(t, s, "POST", "/v1/messages", second, nil)
	if got := s.Violations(); len(got) > 0 {
		t.Fatalf("violations %q", got)
	}
	want := []Request{
		{Path: "/v1/messages", Model: "m", System: "be good", Tools: []string{"Bash"}, Messages: []Message{{Role: "user", Text: "do it"}}},
		{Path: "/v1/messages", Turn: 1, Model: "m", System: "be good", Tools: []string{"Bash"}, Messages: []Message{
			{Role: "user", Text: "do it"},
			{Role: "assistant", Text: "now", Calls: []Call{{ID: "toolu_0_0_0", Name: "Bash", Input: map[string]any{"command": "pwd"}}}},
			{Role: "user", Text: "hint", Results: []Result{{ID: "toolu_0_0_0", Name: "Bash", Text: "no", IsError: true}}},
		}},
	}
	if diff := cmp.Diff(want, s.Requests()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Result{{ID: "toolu_0_0_0", Name: "Bash", Text: "no", IsError: true}}, s.Results(0)); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if got := want[1].User(); got != "do it\nhint" {
		t.Errorf("user text %q", got)
	}
	if send(t, s, "POST", "/v1/messages", second, nil); len(s.Violations()) != 1 {
		t.Errorf("violations %q, expected one for asking twice", s.Violations())
	}
}

func send(t *testing.T, s *Server, method, path, body string, header map[string]string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", Key)
	req.Header.Set("Anthropic-Version", anthropicVersion)
	req.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, b
}
