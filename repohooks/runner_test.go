//go:build unix

package repohooks

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

func guard(signal string) string {
	return says(`{"logs":["looked"],"hook_signals":[{"source_event":"PreAbilityCall","hook_id":"g","kind":"ability_guard",` + signal + `}]}`)
}

// AIC-12, AIC-27, AIC-40, AIC-41, AIC-42, AIC-44, AIC-47, AIC-62: what a guard
// prints, and what comes of it.
func TestGuardAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		script   string
		decision trammel.Decision
		reason   string
		failed   trammel.Code
	}{
		"no opinion": {says(`{}`), trammel.None, "", ""},
		"allowed":    {guard(`"code":"ABILITY_ALLOWED","payload":{}`), trammel.None, "", ""},
		"denied": {guard(`"code":"ABILITY_DENIED","severity":"error","payload":{"ability_id":"x","reason":"not now"}`),
			trammel.Deny, "not now", ""},
		"a human may override": {guard(`"code":"ABILITY_DENIED","payload":{"reason":"ask","require_human":true}`), trammel.Ask, "ask", ""},
		"requires a human":     {guard(`"code":"ABILITY_REQUIRES_HUMAN","payload":{"reason":"ask"}`), trammel.Ask, "ask", ""},
		"unknown code":         {guard(`"code":"ABILITY_FINE","payload":{"reason":"odd"}`), trammel.Deny, "odd", ""},
		"preflight's code":     {guard(`"code":"ABILITY_AVAILABLE","payload":{"reason":"odd"}`), trammel.Deny, "odd", ""},
		"other case":           {guard(`"code":"ability_allowed","payload":{"reason":"odd"}`), trammel.Deny, "odd", ""},
		"another hook's name": {strings.ReplaceAll(guard(`"code":"ABILITY_ALLOWED","payload":{}`), `"hook_id":"g"`,
			`"hook_id":"prod_config_guard"`), trammel.Deny, "", trammel.CodeMalformed},
		"no hook's name": {strings.ReplaceAll(guard(`"code":"ABILITY_ALLOWED","payload":{}`), `"hook_id":"g",`, ``), trammel.Deny, "",
			trammel.CodeMalformed},
		"another event": {strings.ReplaceAll(guard(`"code":"ABILITY_ALLOWED","payload":{}`), "PreAbilityCall", "PromptSubmit"),
			trammel.Deny, "", trammel.CodeMalformed},
		"a kind of another": {strings.ReplaceAll(guard(`"code":"ABILITY_ALLOWED","payload":{}`), "ability_guard", "ability_preflight"),
			trammel.Deny, "", trammel.CodeMalformed},
		"no payload":       {guard(`"code":"ABILITY_ALLOWED"`), trammel.Deny, "", trammel.CodeMalformed},
		"wrong type":       {guard(`"code":"ABILITY_DENIED","payload":{"require_human":"true"}`), trammel.Deny, "", trammel.CodeMalformed},
		"severity":         {guard(`"code":"ABILITY_ALLOWED","severity":"fatal","payload":{}`), trammel.Deny, "", trammel.CodeMalformed},
		"unknown field":    {says(`{"decision":"allow"}`), trammel.Deny, "", trammel.CodeUnknownField},
		"cased field":      {says(`{"Hook_Signals":[]}`), trammel.Deny, "", trammel.CodeUnknownField},
		"a key twice":      {says(`{"logs":[],"logs":[]}`), trammel.Deny, "", trammel.CodeMalformed},
		"reports an error": {says(`{"error":{"code":"E_DB","message":"down"}}`), trammel.Deny, "", trammel.CodeError},
		"says nothing":     {"#!/bin/sh\n", trammel.Deny, "", trammel.CodeMalformed},
		"noise":            {"#!/bin/sh\necho starting\necho '{}'\n", trammel.Deny, "", trammel.CodeMalformed},
		"two results":      {"#!/bin/sh\necho '{}'\necho '{}'\n", trammel.Deny, "", trammel.CodeMalformed},
		"exit code":        {"#!/bin/sh\necho '{}'\nexit 3\n", trammel.Deny, "", trammel.CodeCrash},
		"flood":            {"#!/bin/sh\nhead -c 3000000 /dev/zero\n", trammel.Deny, "", trammel.CodeOversized},
		"no interpreter":   {"#!/no/such/interpreter\n", trammel.Deny, "", trammel.CodeUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{".system/hooks/g.yaml": hook("g", "PreAbilityCall", script("g.sh")),
				"scripts/hooks/g.sh": c.script}).trust()
			r := w.must(call("x", map[string]any{"path": "a"}))
			if r.Decision != c.decision || c.reason != "" && r.Reason != c.reason {
				t.Errorf("%v %q: %+v", r.Decision, r.Reason, r)
			}
			if c.failed == "" {
				if len(r.Errors) > 0 || name != "no opinion" && (len(r.Signals) != 1 || r.Signals[0].HookID != "g" ||
					!slices.Contains(r.Logs, "looked")) {
					t.Errorf("%+v", r)
				}
			} else if len(r.Errors) != 1 || r.Errors[0].Code != c.failed || r.HookID != "g" {
				t.Errorf("%+v", r)
			}
			if r.Decision == trammel.Deny && (len(r.Signals) != 1 || r.Signals[0].Decision() != trammel.Deny) {
				t.Errorf("the agent is not told: %+v", r.Signals)
			}
		})
	}
}

// AIC-30 to AIC-35: what scripts get on stdin has exactly these fields. AIC-30
// AIC-31 AIC-32 AIC-33 AIC-34 AIC-35 AIC-13
func TestContexts(t *testing.T) {
	caller := Caller{Source: CIPipeline, SessionID: "s", JobID: "j", TriggeredBy: "nightly"}
	const callerJSON = `"caller":{"source":"ci_pipeline","session_id":"s","job_id":"j","triggered_by":"nightly"}`
	for _, c := range []struct {
		context Context
		want    string
	}{
		{&PromptSubmit{SessionID: "s", UserRawInput: "hi", CurrentFiles: []string{"a.go"}},
			`{"event_type":"PromptSubmit","session_id":"s","user_raw_input":"hi","current_files":["a.go"]}`},
		{&PromptSubmit{SessionID: "s"}, `{"event_type":"PromptSubmit","session_id":"s","user_raw_input":""}`},
		{&PreAbilityCreate{SessionID: "s", AbilityRef: AbilityRef{Kind: OperationKey, Value: "db.write"}, InputSummary: "i",
			Environment: "prod", Caller: caller},
			`{"event_type":"PreAbilityCreate","session_id":"s","ability_ref":{"kind":"operation_key","value":"db.write"},"input_summary":"i",` +
				`"environment":"prod",` + callerJSON + `}`},
		{&PreAbilityCall{AbilityID: "x", TaskKey: "task-1", ArgsSummary: "a", Caller: caller, Args: map[string]any{"secret": 1}},
			`{"event_type":"PreAbilityCall","ability_id":"x","task_key":"task-1","args_summary":"a",` + callerJSON + `}`},
		{&PostAbilityCall{SessionID: "s", AbilityID: "x", TaskKey: "t", Status: Partial, DurationMS: 7, InputSummary: "i", OutputSummary: "o",
			ErrorMessage: "e"},
			`{"event_type":"PostAbilityCall","session_id":"s","ability_id":"x","task_key":"t","status":"partial","duration_ms":7,` +
				`"input_summary":"i","output_summary":"o","error_message":"e"}`},
		{&PostAbilityCall{AbilityID: "x", Status: Failure, Timed: true},
			`{"event_type":"PostAbilityCall","ability_id":"x","status":"failure","duration_ms":0}`},
		{&SessionStop{SessionID: "s", ChangedFiles: []string{"a"}, AbilitiesUsed: []string{"x"}, TasksSummary: []TaskSummary{{TaskKey: "t",
			AbilityID: "x", Status: Success}}, StartedAt: "2026-01-01T00:00:00Z", EndedAt: "2026-01-01T01:00:00Z"},
			`{"event_type":"SessionStop","session_id":"s","changed_files":["a"],"abilities_used":["x"],"tasks_summary":[{"ability_id":"x",` +
				`"status":"success","task_key":"t"}],"started_at":"2026-01-01T00:00:00Z","ended_at":"2026-01-01T01:00:00Z"}`},
	} {
		event := string(c.context.EventType())
		w := newWorld(t, map[string]string{".system/hooks/h.yaml": hook("h", event, script("h.sh")), "scripts/hooks/h.sh": says("{}")}).trust()
		w.must(c.context)
		if got := w.read("seen.json"); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		again, err := ReadContext(c.context.EventType(), []byte(c.want))
		if err != nil || string(again.AppendJSON(nil)) != c.want {
			t.Errorf("read again: %v", err)
		}
	}
}

// AIC-31 AIC-33 AIC-35: a context that is not one is refused before any hook runs.
func TestContextsAreStrict(t *testing.T) {
	for event, list := range map[EventType][]string{
		PromptSubmitEvent: {``, `[]`, `{"event_type":"PromptSubmit"}`, `{"event_type":"SessionStop","session_id":"s"}`,
			`{"event_type":"PromptSubmit","session_id":"s","Session_id":"x"}`, `{"event_type":"PromptSubmit","session_id":"s","current_files":[1]}`},
		PreAbilityCreateEvent: {`{"event_type":"PreAbilityCreate","ability_ref":{"kind":"tool","value":"x"},"caller":{"source":"ai_session"}}`,
			`{"event_type":"PreAbilityCreate","ability_ref":{"kind":"ability_id","value":"x"}}`,
			`{"event_type":"PreAbilityCreate","ability_ref":{"kind":"ability_id"},"caller":{"source":"ai_session"}}`},
		PreAbilityCallEvent: {`{"event_type":"PreAbilityCall","ability_id":"x","caller":{"source":"root"}}`,
			`{"event_type":"PreAbilityCall","caller":{"source":"ai_session"}}`,
			`{"event_type":"PreAbilityCall","ability_id":"x","caller":{"source":"ai_session","admin":true}}`},
		PostAbilityCallEvent: {`{"event_type":"PostAbilityCall","ability_id":"x","status":"ok"}`,
			`{"event_type":"PostAbilityCall","ability_id":"x","status":"success","duration_ms":-1}`,
			`{"event_type":"PostAbilityCall","ability_id":"x"}`},
		SessionStopEvent: {`{"event_type":"SessionStop"}`,
			`{"event_type":"SessionStop","session_id":"s","tasks_summary":[{"status":"done"}]}`,
			`{"event_type":"SessionStop","session_id":"s","tasks_summary":[7]}`},
		"Other": {`{"event_type":"Other"}`},
	} {
		for _, text := range list {
			if _, err := ReadContext(event, []byte(text)); err == nil {
				t.Errorf("%s was taken: %s", event, text)
			}
		}
	}
	w := newWorld(t, nil)
	if _, err := w.RunHooks(t.Context(), PromptSubmitEvent, &SessionStop{SessionID: "s"}, true); err == nil {
		t.Error("a context of another event was taken")
	}
	if _, err := w.run(&PreAbilityCall{AbilityID: "x"}, true); err == nil {
		t.Error("a caller without a source was taken (AIC-52)")
	}
}

// AIC-10, AIC-43, AIC-46, AIC-03: preflight and routing signals.
func TestPreflightAndRouting(t *testing.T) {
	preflight := func(code, payload string) string {
		return says(`{"hook_signals":[{"source_event":"PreAbilityCreate","hook_id":"p","kind":"ability_preflight","code":"` + code +
			`","severity":"warning","payload":` + payload + `}]}`)
	}
	for code, want := range map[string]trammel.Decision{"ABILITY_AVAILABLE": trammel.None, "ABILITY_UNAVAILABLE": trammel.Deny,
		"ABILITY_REQUIRES_HUMAN": trammel.Ask, "OTHER": trammel.Deny} {
		w := newWorld(t, map[string]string{".system/hooks/p.yml": hook("p", "PreAbilityCreate", script("p.sh")),
			"scripts/hooks/p.sh": preflight(code,
				`{"ability_ref":{"kind":"operation_key","value":"db.write"},"reason":"because","suggestion":"do that"}`)}).trust()
		r := w.must(create("db.write", "prod"))
		if r.Decision != want || want != trammel.None && (r.Reason != "because" || r.Suggestion != "do that") || want == trammel.None &&
			!slices.Contains(r.Warnings, "because") {
			t.Errorf("%s: %+v", code, r)
		}
	}
	w := newWorld(t, map[string]string{".system/hooks/r.yaml": hook("r", "PromptSubmit", script("r.py")),
		"scripts/hooks/r.py": `#!/usr/bin/env python3
import json, sys
context = json.load(sys.stdin)
print(json.dumps({"hook_signals": [{"source_event": context["event_type"], "hook_id": "r", "kind": "routing_hint",
  "code": "ROUTE_SUGGESTION", "payload": {
    "suggested_abilities": [{"id": "e2e", "reason": context["user_raw_input"], "confidence": 0.91}],
    "suggested_documents": [{"path": "ROUTING.md", "reason": "r"}]}}]}))
`}).trust()
	r := w.must(&PromptSubmit{SessionID: "s", UserRawInput: "test signup"})
	if len(r.Signals) != 1 || r.Signals[0].Payload["suggested_abilities"].([]any)[0].(map[string]any)["reason"] != "test signup" ||
		r.Decision != trammel.None {
		t.Errorf("%+v", r)
	}
	data, _ := json.Marshal(r.Signals[0])
	if want := `{"source_event":"PromptSubmit","hook_id":"r","kind":"routing_hint","code":"ROUTE_SUGGESTION","payload":`; !strings.HasPrefix(
		string(data), want) {
		t.Errorf("got %s", data)
	}
}

// AIC-45, AIC-63: after the fact nothing is held up, and signals are only
// noted as a mistake.
func TestAfterTheFact(t *testing.T) {
	for _, c := range []Context{&PostAbilityCall{AbilityID: "x", Status: Success}, &PostAbilityCall{AbilityID: "x", Status: Failure},
		&SessionStop{SessionID: "s"}} {
		event := string(c.EventType())
		w := newWorld(t, map[string]string{
			".system/hooks/late.yaml":   hook("late", event, script("late.sh")),
			".system/hooks/broken.yaml": hook("broken", event, script("broken.sh")),
			"scripts/hooks/late.sh":     says(`{"usage_recorded":true,"hook_signals":[{"kind":"ability_guard","code":"ABILITY_DENIED"}]}`),
			"scripts/hooks/broken.sh":   "#!/bin/sh\nexit 9\n"}).trust()
		r, err := w.run(c, false)
		if err != nil || !r.Proceed() || len(r.Signals) > 0 || len(r.Errors) != 1 || r.Errors[0].HookID != "broken" ||
			!strings.Contains(strings.Join(r.Logs, "\n"), "misconfiguration") {
			t.Errorf("%s: %+v, %v", event, r, err)
		}
		if log := w.read(".system/logs/hooks.jsonl"); !strings.Contains(log, `"misconfigured":true`) {
			t.Errorf("log %s", log)
		}
	}
}

// AIC-21, AIC-22, AIC-23, AIC-24, AIC-25: when hooks run.
func TestMatch(t *testing.T) {
	post := func(ability string, ms int64) *PostAbilityCall {
		return &PostAbilityCall{AbilityID: ability, Status: Success, DurationMS: ms}
	}
	stop := func(files ...string) *SessionStop { return &SessionStop{SessionID: "s", ChangedFiles: files} }
	for name, c := range map[string]struct {
		event, match string
		runs         []Context
		not          []Context
	}{
		"AIC-25 none": {"PreAbilityCall", "", []Context{call("x", nil), call("a/b", nil)}, nil},
		"AIC-22 all":  {"PreAbilityCall", `{ability_scope: "*"}`, []Context{call("x", nil), call("a/b", nil)}, nil},
		"AIC-22 exact": {"PreAbilityCall", `{ability_scope: edit_file}`, []Context{call("edit_file", nil)},
			[]Context{call("edit_file2", nil), call("Edit", map[string]any{"file_path": "x"})}},
		"AIC-22 list": {"PreAbilityCreate", `{ability_scope: ["db.*", deploy]}`, []Context{create("db.write.row", ""),
			create("deploy", "")}, []Context{create("xdb.write", "")}},
		"AIC-23 slow": {"PostAbilityCall", `{min_duration_ms: 100}`, []Context{post("x", 100), post("x", 5000)},
			[]Context{post("x", 99), post("x", 0)}},
		"AIC-23 zero": {"PostAbilityCall", `{ability_scope: "*", min_duration_ms: 0}`, []Context{post("x", 0)}, nil},
		"AIC-24 paths": {"SessionStop", `{only_if_changed_paths: ["services/**", "apps/**"]}`, []Context{stop("services/a/b.go"),
			stop("x", "apps/a")}, []Context{stop(), stop("lib/services/a", "README.md")}},
		"AIC-24 single":      {"SessionStop", `{only_if_changed_paths: "*.md"}`, []Context{stop("README.md")}, []Context{stop("docs/README.md")}},
		"AIC-21 not enabled": {"PreAbilityCall", "off", nil, []Context{call("x", nil)}},
	} {
		t.Run(name, func(t *testing.T) {
			text := hook("h", c.event, script("h.sh"))
			switch c.match {
			case "":
			case "off":
				text = strings.Replace(text, "enabled: true", "enabled: false", 1)
			default:
				text += "match: " + c.match + "\n"
			}
			w := newWorld(t, map[string]string{".system/hooks/h.yaml": text, ".system/hooks/AGENTS.md": "# not a hook",
				"scripts/hooks/h.sh": says("{}")}).trust()
			for _, context := range c.runs {
				if r := w.must(context); len(r.Ran) != 1 {
					t.Errorf("did not run on %s", context.AppendJSON(nil))
				}
			}
			for _, context := range c.not {
				if r := w.must(context); len(r.Ran) != 0 {
					t.Errorf("ran on %s", context.AppendJSON(nil))
				}
			}
		})
	}
}
