package repohooks

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

var _ trammel.HookDialect = Dialect{}

func spoken(t *testing.T, options string) trammel.HookDialect {
	t.Helper()
	d, err := (Dialect{}).Configure("h", []byte(options))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func edit() *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Host: "claude-code", Session: trammel.Session{ID: "s", Dir: "/p"}, Time: time.Unix(0, 0),
		Tool: &trammel.ToolCall{Name: "Write", Input: map[string]any{"file_path": "a", "content": "b"},
			Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{"a"}}}}
}

// AIC-10, AIC-30, AIC-32, AIC-33, AIC-34: the events of an agent's host, as
// contexts. AIC-22: a script finds the ability that its scope names.
func TestEventsOfHosts(t *testing.T) {
	after := edit()
	after.Kind, after.Tool.Done, after.Tool.Output, after.Tool.Duration = trammel.PostToolUse, true, "ok", 7*time.Millisecond
	failed := edit()
	failed.Kind, failed.Tool.Failed, failed.Tool.Error = trammel.PostToolFailure, true, "boom"
	patch := &trammel.Event{Kind: trammel.PreToolUse, Host: "codex", Tool: &trammel.ToolCall{Name: "apply_patch",
		Input:  map[string]any{"command": "*** Begin Patch…"},
		Action: trammel.Action{Kind: trammel.EditAction, Also: []trammel.ActionKind{trammel.DeleteAction}, Paths: []string{"x", "y"}}}}
	const caller = `"caller":{"source":"ai_session","session_id":"s"}`
	for name, c := range map[string]struct {
		options string
		ev      *trammel.Event
		want    string
	}{
		"prompt": {`{}`, &trammel.Event{Kind: trammel.UserPromptSubmit, Session: trammel.Session{ID: "s"},
			Prompt: &trammel.Prompt{Text: "hi"}}, `{"event_type":"PromptSubmit","session_id":"s","user_raw_input":"hi"}`},
		"call": {`{}`, edit(),
			`{"event_type":"PreAbilityCall","session_id":"s","ability_id":"Write","args_summary":"{\"content\":\"b\",\"file_path\":\"a\"}",` +
				caller + `}`},
		"call, by scope": {`{"ability_scope":["edit_file"]}`, edit(),
			`{"event_type":"PreAbilityCall","session_id":"s","ability_id":"edit_file","args_summary":"{\"content\":\"b\",\"file_path\":\"a\"}",` +
				caller + `}`},
		"call, of all": {`{"ability_scope":["*"]}`, edit(),
			`{"event_type":"PreAbilityCall","session_id":"s","ability_id":"Write","args_summary":"{\"content\":\"b\",\"file_path\":\"a\"}",` +
				caller + `}`},
		"patch": {`{"ability_scope":["delete_*"]}`, patch,
			`{"event_type":"PreAbilityCall","ability_id":"delete_file","args_summary":"{\"action_paths\":[\"x\",\"y\"],` +
				`\"command\":\"*** Begin Patch…\"}","caller":{"source":"ai_session"}}`},
		"after": {`{}`, after,
			`{"event_type":"PostAbilityCall","session_id":"s","ability_id":"Write","status":"success","duration_ms":7,` +
				`"input_summary":"{\"content\":\"b\",\"file_path\":\"a\"}","output_summary":"ok"}`},
		"failed": {`{}`, failed,
			`{"event_type":"PostAbilityCall","session_id":"s","ability_id":"Write","status":"failure","input_summary":"{\"content\":\"b\",` +
				`\"file_path\":\"a\"}","error_message":"boom"}`},
		"end": {`{}`, &trammel.Event{Kind: trammel.SessionEnd, Session: trammel.Session{ID: "s"}, Time: time.Unix(0, 0),
			Fields: map[string]any{"changed_files": []any{"a.go"}}},
			`{"event_type":"SessionStop","session_id":"s","changed_files":["a.go"],"ended_at":"1970-01-01T00:00:00Z"}`},
	} {
		got, err := spoken(t, c.options).EncodeEvent(c.ev)
		if err != nil || string(got) != c.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", name, got, err, c.want)
		}
		if _, err := ReadContext(EventOf(c.ev.Kind), got); c.ev.Session.ID != "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, ev := range []*trammel.Event{{Kind: trammel.Stop}, {Kind: trammel.PreToolUse}} {
		if _, err := (Dialect{}).EncodeEvent(ev); err == nil {
			t.Errorf("%v without a tool was said", ev.Kind)
		}
	}
}

// A guard sees the whole of arguments of common size, and the start of every
// text of larger ones: what is hidden behind something long is still seen.
func TestSummary(t *testing.T) {
	long := strings.Repeat("x", 60<<10)
	if got := Summary(map[string]any{"a": long, "z": "secrets.txt"}); !strings.Contains(got, long) || !strings.Contains(got, "secrets.txt") {
		t.Error("cut though it is short enough")
	}
	huge := Summary(map[string]any{"a": strings.Repeat(long, 100), "list": []any{map[string]any{"z": "secrets.txt"}}})
	if len(huge) > 2*maxText || !strings.Contains(huge, "secrets.txt") {
		t.Errorf("%d bytes", len(huge))
	}
	if Summary(nil) != "" {
		t.Error("something of nothing")
	}
}

// AIC-44, AIC-62: as an answer for a host.
func TestAnswers(t *testing.T) {
	guard := func(more string) string {
		return `{"hook_signals":[{"source_event":"PreAbilityCall","hook_id":"h","kind":"ability_guard",` + more + `}]}`
	}
	for name, c := range map[string]struct {
		options, out string
		decision     trammel.Decision
		reason       string
		code         string
	}{
		"denied": {`{}`, guard(`"code":"ABILITY_DENIED","payload":{"ability_id":"Write","reason":"no","suggestion":"Ask."}`),
			trammel.Deny, "no Ask.", "ability_denied"},
		"no reason": {`{}`, guard(`"code":"ABILITY_DENIED","payload":{}`), trammel.Deny,
			"The repository hook h says ABILITY_DENIED and gives no reason.", "ability_denied"},
		"human": {`{}`, guard(`"code":"ABILITY_REQUIRES_HUMAN","payload":{"reason":"r"}`), trammel.Ask, "r",
			"ability_requires_human"},
		"unavailable, human": {`{}`, guard(`"code":"ABILITY_UNAVAILABLE","payload":{"reason":"r","require_human":true}`), trammel.Ask, "r",
			"ability_unavailable"},
		"allowed, but human": {`{}`, guard(`"code":"ABILITY_ALLOWED","payload":{"reason":"r","require_human":true}`), trammel.Ask, "r",
			"ability_allowed"},
		"not blocking": {`{"advisory":true}`, guard(`"code":"ABILITY_DENIED","payload":{"reason":"r"}`), trammel.None, "", ""},
		"a warning":    {`{}`, guard(`"code":"ABILITY_ALLOWED","severity":"warning","payload":{"reason":"careful"}`), trammel.None, "", ""},
	} {
		a, err := spoken(t, c.options).DecodeAnswer(edit(), trammel.Output{Stdout: []byte(c.out)})
		if err != nil || a.Decision != c.decision || a.Reason != c.reason || len(a.Signals) != 1 || (c.code != "") != (len(a.Findings) == 1) ||
			c.code != "" && a.Findings[0].Code != c.code {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
		if name == "a warning" && !slices.Equal(a.Context, []string{"The repository hook h warns (ABILITY_ALLOWED): careful"}) {
			t.Errorf("%+v", a.Context)
		}
	}
	// The strictest of several signals counts, with its own reason.
	signal := func(code string) string {
		return `{"source_event":"PreAbilityCall","hook_id":"h","kind":"ability_guard","code":"` + code + `","payload":{"reason":"` + code + `"}}`
	}
	several := `{"hook_signals":[` + signal("ABILITY_ALLOWED") + "," + signal("ABILITY_REQUIRES_HUMAN") + "," + signal("ABILITY_DENIED") +
		"," + signal("ABILITY_REQUIRES_HUMAN") + `]}`
	if a, err := spoken(t, `{}`).DecodeAnswer(edit(), trammel.Output{Stdout: []byte(several)}); err != nil || a.Decision != trammel.Deny ||
		a.Reason != "ABILITY_DENIED" || len(a.Signals) != 4 {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := (Dialect{}).Configure("h", []byte(`{"more":1}`)); err == nil {
		t.Error("unknown options were taken")
	}
	d, _ := (Dialect{}).Configure("other", nil)
	_, err := d.DecodeAnswer(edit(), trammel.Output{Stdout: []byte(guard(`"code":"ABILITY_ALLOWED","payload":{}`))})
	if trammel.CodeOf(err) != trammel.CodeMalformed {
		t.Errorf("AIC-42, the name of another hook: %v", err)
	}
}

// AIC-40, AIC-41: whatever a script prints, an answer is within what scripts
// may do, and a signal of somebody else is in none.
func FuzzDecodeAnswer(f *testing.F) {
	f.Add([]byte(
		`{"logs":["a"],"usage_recorded":true,"hook_signals":[{"source_event":"PreAbilityCall","hook_id":"h","kind":"ability_guard",`+
			`"code":"ABILITY_DENIED","severity":"error","payload":{"reason":"r","require_human":true}}]}`), 0)
	f.Add([]byte(
		`{"hook_signals":[{"source_event":"PromptSubmit","hook_id":"h","kind":"routing_hint","code":"R",`+
			`"payload":{"suggested_abilities":[{"id":"a","confidence":0.5}],"suggested_documents":[{"path":"p"}]}}]}`), 0)
	f.Add([]byte(`{"error":{"code":"c","message":"m"}}`), 1)
	f.Fuzz(func(t *testing.T, out []byte, exit int) {
		d, _ := (Dialect{}).Configure("h", nil)
		for _, kind := range []trammel.Kind{trammel.UserPromptSubmit, trammel.PreAbilityCreate, trammel.PreToolUse, trammel.PostToolUse,
			trammel.PostToolFailure, trammel.SessionEnd} {
			ev := edit()
			ev.Kind = kind
			a, err := d.DecodeAnswer(ev, trammel.Output{Stdout: out, Exit: exit})
			if err != nil {
				continue
			}
			if what := d.Ceiling(kind).Overreach(&a, kind.Can()); what != "" {
				t.Fatalf("%v: %s", kind, what)
			}
			if exit != 0 || !EventOf(kind).SignalsAgent() && (len(a.Signals) > 0 || a.Decision != trammel.None) {
				t.Fatalf("%v: %+v", kind, a)
			}
		}
	})
}

func FuzzReadContext(f *testing.F) {
	for _, event := range EventTypes() {
		f.Add(string(event), []byte(`{"event_type":"`+string(event)+
			`","session_id":"s","ability_id":"x","status":"success","caller":{"source":"ai_session"}}`))
	}
	f.Fuzz(func(t *testing.T, event string, raw []byte) {
		c, err := ReadContext(EventType(event), raw)
		if err != nil {
			return
		}
		text := c.AppendJSON(nil)
		again, err := ReadContext(EventType(event), text)
		if err != nil || string(again.AppendJSON(nil)) != string(text) || c.Event() == nil {
			t.Fatalf("%s became %v", text, err)
		}
	})
}
