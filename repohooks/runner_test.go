//go:build unix

package repohooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/pipeline"
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
			`{"event_type":"PreAbilityCreate","session_id":"s","ability_ref":{"kind":"operation_key","value":"db.write"},"input_summary":"i","environment":"prod",` + callerJSON + `}`},
		{&PreAbilityCall{AbilityID: "x", TaskKey: "task-1", ArgsSummary: "a", Caller: caller, Args: map[string]any{"secret": 1}},
			`{"event_type":"PreAbilityCall","ability_id":"x","task_key":"task-1","args_summary":"a",` + callerJSON + `}`},
		{&PostAbilityCall{SessionID: "s", AbilityID: "x", TaskKey: "t", Status: Partial, DurationMS: 7, InputSummary: "i", OutputSummary: "o",
			ErrorMessage: "e"},
			`{"event_type":"PostAbilityCall","session_id":"s","ability_id":"x","task_key":"t","status":"partial","duration_ms":7,"input_summary":"i","output_summary":"o","error_message":"e"}`},
		{&PostAbilityCall{AbilityID: "x", Status: Failure, Timed: true},
			`{"event_type":"PostAbilityCall","ability_id":"x","status":"failure","duration_ms":0}`},
		{&SessionStop{SessionID: "s", ChangedFiles: []string{"a"}, AbilitiesUsed: []string{"x"}, TasksSummary: []TaskSummary{{TaskKey: "t",
			AbilityID: "x", Status: Success}}, StartedAt: "2026-01-01T00:00:00Z", EndedAt: "2026-01-01T01:00:00Z"},
			`{"event_type":"SessionStop","session_id":"s","changed_files":["a"],"abilities_used":["x"],"tasks_summary":[{"ability_id":"x","status":"success","task_key":"t"}],"started_at":"2026-01-01T00:00:00Z","ended_at":"2026-01-01T01:00:00Z"}`},
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
	w := newWorld(t, map[string]string{".system/hooks/r.yaml": hook("r", "PromptSubmit", script("r.py")), "scripts/hooks/r.py": `#!/usr/bin/env python3
import json, sys
context = json.load(sys.stdin)
print(json.dumps({"hook_signals": [{"source_event": context["event_type"], "hook_id": "r", "kind": "routing_hint", "code": "ROUTE_SUGGESTION",
  "payload": {"suggested_abilities": [{"id": "e2e", "reason": context["user_raw_input"], "confidence": 0.91}], "suggested_documents": [{"path": "ROUTING.md", "reason": "r"}]}}]}))
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

// AIC-62, AIC-63: what a failure means.
func TestFailurePolicy(t *testing.T) {
	for name, c := range map[string]struct {
		event    string
		more     string
		blocking bool
		want     trammel.Decision
	}{
		"pre call fails":           {"PreAbilityCall", "", true, trammel.Deny},
		"pre create fails":         {"PreAbilityCreate", "", true, trammel.Deny},
		"pre call skips":           {"PreAbilityCall", "on_failure: skip", true, trammel.None},
		"prompt goes on":           {"PromptSubmit", "", true, trammel.None},
		"prompt fails":             {"PromptSubmit", "on_failure: fail", true, trammel.Deny},
		"AIC-63 not blocking":      {"PreAbilityCall", "", false, trammel.None},
		"AIC-63 prompt, not block": {"PromptSubmit", "", false, trammel.None},
	} {
		text := hook("h", c.event, script("h.sh"), c.more)
		if !c.blocking {
			text = strings.Replace(text, "blocking: true", "blocking: false", 1)
		}
		w := newWorld(t, map[string]string{".system/hooks/h.yaml": text, "scripts/hooks/h.sh": "#!/bin/sh\nexit 1\n"}).trust()
		context := map[string]Context{"PreAbilityCall": call("x", nil), "PreAbilityCreate": create("x", ""),
			"PromptSubmit": &PromptSubmit{SessionID: "s", UserRawInput: "x"}}[c.event]
		r, err := w.run(context, false)
		if err != nil || r.Decision != c.want || len(r.Errors) != 1 || len(r.Warnings) == 0 && c.want == trammel.None {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	// AIC-04, AIC-63: what is not blocking is left out of a blocking run, and
	// otherwise only remarks.
	w := newWorld(t, map[string]string{".system/hooks/g.yaml": strings.Replace(hook("g", "PreAbilityCall", script("g.sh")), "blocking: true",
		"blocking: false", 1),
		"scripts/hooks/g.sh": guard(`"code":"ABILITY_DENIED","payload":{"reason":"no"}`)}).trust()
	if r := w.must(call("x", nil)); len(r.Ran) != 0 {
		t.Errorf("%+v", r)
	}
	if r, err := w.run(call("x", nil), false); err != nil || len(r.Ran) != 1 || !r.Proceed() || !strings.Contains(strings.Join(r.Logs, ""),
		"not blocking") {
		t.Errorf("%+v, %v", r, err)
	}
}

// AIC-44: deny before a human before allow, whatever the order.
func TestMerge(t *testing.T) {
	result := func(id, code string) string {
		return says(`{"hook_signals":[{"source_event":"PreAbilityCall","hook_id":"` + id + `","kind":"ability_guard","code":"` + code +
			`","payload":{"reason":"` + id + `"}}]}`)
	}
	w := newWorld(t, map[string]string{
		".system/hooks/a.yaml": hook("a", "PreAbilityCall", script("a.sh"), "match: {ability_scope: [two, three]}"),
		"scripts/hooks/a.sh":   result("a", "ABILITY_REQUIRES_HUMAN"),
		".system/hooks/b.yaml": hook("b", "PreAbilityCall", script("b.sh")), "scripts/hooks/b.sh": result("b", "ABILITY_ALLOWED"),
		".system/hooks/c.yaml": hook("c", "PreAbilityCall", script("c.sh"), "match: {ability_scope: three}"),
		"scripts/hooks/c.sh":   result("c", "ABILITY_DENIED"),
	}).trust()
	for ability, want := range map[string]struct {
		decision trammel.Decision
		by       string
		signals  int
	}{"one": {trammel.None, "", 1}, "two": {trammel.Ask, "a", 2}, "three": {trammel.Deny, "c", 3}} {
		if r := w.must(call(ability, nil)); r.Decision != want.decision || r.HookID != want.by || r.Reason != want.by ||
			len(r.Signals) != want.signals {
			t.Errorf("%s: %+v", ability, r)
		}
	}
}

// AIC-53: hooks that match, and those that are bound, each once.
func TestBound(t *testing.T) {
	w := newWorld(t, map[string]string{
		".system/hooks/all.yaml":  hook("all", "PreAbilityCall", script("h.sh")),
		".system/hooks/mine.yaml": hook("mine", "PreAbilityCall", script("h.sh"), "match: {ability_scope: other}"),
		".system/hooks/late.yaml": hook("late", "PostAbilityCall", script("h.sh"), "match: {ability_scope: other, min_duration_ms: 50}"),
		".system/hooks/off.yaml":  strings.Replace(hook("off", "PreAbilityCall", script("h.sh")), "enabled: true", "enabled: false", 1),
		"scripts/hooks/h.sh":      says("{}"),
	}).trust()
	ids := func(r *Result) (out []string) {
		for _, run := range r.Ran {
			out = append(out, run.HookID)
		}
		return out
	}
	if got := ids(w.must(call("x", nil), "mine", "all", "mine", "off")); !slices.Equal(got, []string{"all", "mine"}) {
		t.Errorf("ran %v", got)
	}
	if got := ids(w.must(call("x", nil))); !slices.Equal(got, []string{"all"}) {
		t.Errorf("ran %v", got)
	}
	if got := ids(w.must(&PostAbilityCall{AbilityID: "x", Status: Success, DurationMS: 10}, "late")); got != nil {
		t.Errorf("ran %v, and the duration still counts", got)
	}
	if got := ids(w.must(&PostAbilityCall{AbilityID: "x", Status: Success, DurationMS: 60}, "late")); !slices.Equal(got, []string{"late"}) {
		t.Errorf("ran %v", got)
	}
	for _, id := range []string{"missing", "late"} {
		if _, err := w.run(call("x", nil), true, id); code(err) != trammel.CodeConfig {
			t.Errorf("bound to %s: %v", id, err)
		}
	}
	if r := w.must(&PostAbilityCall{AbilityID: "x", Status: Success}, "missing", "mine"); len(r.Errors) != 2 ||
		r.Errors[0].Code != trammel.CodeConfig || !r.Proceed() {
		t.Errorf("after the fact: %+v", r)
	}
}

func code(err error) trammel.Code {
	var f *trammel.Failure
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}

// AIC-01, AIC-21: one switch, which only people have, and then nothing runs,
// bound hooks included.
func TestSwitch(t *testing.T) {
	w := newWorld(t, map[string]string{".system/hooks/g.yaml": hook("g", "PreAbilityCall", script("g.sh")),
		"scripts/hooks/g.sh": guard(`"code":"ABILITY_DENIED","payload":{"reason":"no"}`)}).trust()
	if r := w.must(call("x", nil), "g"); r.Decision != trammel.Deny {
		t.Fatalf("%+v", r)
	}
	w.write("trammel.yaml", "version: 1\nrepository_hooks: false\n")
	if r := w.must(call("x", nil), "g"); r.Decision != trammel.Deny {
		t.Error("an untrusted file switched the hooks off")
	}
	w.trust()
	if r := w.must(call("x", nil), "g"); r.Decision != trammel.None || len(r.Ran) > 0 {
		t.Errorf("%+v", r)
	}
	w.write("../user/trammel.yaml", "version: 1\nrepository_hooks: true\n")
	if r := w.must(call("x", nil), "g"); r.Decision != trammel.Deny {
		t.Error("the project switched off what the user wants")
	}
	empty := newWorld(t, nil)
	for _, c := range []Context{&PromptSubmit{SessionID: "s"}, create("x", ""), call("x", nil), &PostAbilityCall{AbilityID: "x",
		Status: Success}, &SessionStop{SessionID: "s"}} {
		if r := empty.must(c); !r.Proceed() || len(r.Ran) > 0 {
			t.Errorf("%+v", r)
		}
	}
}

// AIC-02: what an agent puts there does not run until a person has read it, and
// what it changes or removes stays in force.
func TestTrust(t *testing.T) {
	deny := guard(`"code":"ABILITY_DENIED","payload":{"reason":"no"}`)
	w := newWorld(t, map[string]string{".system/hooks/g.yaml": hook("g", "PreAbilityCall", script("g.sh")), "scripts/hooks/g.sh": deny})
	// enforcement 13: a guard that nobody may ask yet holds its calls up.
	if r := w.must(call("x", nil)); r.Decision != trammel.Deny || r.HookID != "g" || !strings.Contains(r.Reason, "trammel trust") {
		t.Errorf("an untrusted guard: %+v", r)
	}
	if r := w.must(create("x", "")); !strings.Contains(strings.Join(r.Warnings, ""), "trammel trust") {
		t.Errorf("nobody is told: %+v", r.Warnings)
	}
	if _, err := w.run(call("x", nil), true, "g"); code(err) != trammel.CodeConfig {
		t.Errorf("a bound hook that is not trusted: %v", err)
	}
	w.trust()
	w.write("scripts/hooks/g.sh", says("{}"))
	if r := w.must(call("x", nil)); r.Decision != trammel.Deny || r.Errors[0].Code != trammel.CodeChanged {
		t.Errorf("a changed script: %+v", r)
	}
	w.write("scripts/hooks/g.sh", deny)
	w.write(".system/hooks/g.yaml", strings.Replace(hook("g", "PreAbilityCall", script("g.sh")), "enabled: true", "enabled: false", 1))
	if r := w.must(call("x", nil)); r.Decision != trammel.Deny || r.Reason != "no" {
		t.Errorf("switched off by an edit: %+v", r)
	}
}

// AIC-61: one line per run, and a record in the evidence.
func TestLog(t *testing.T) {
	w := newWorld(t, map[string]string{
		".system/hooks/g.yaml": hook("g", "PreAbilityCall", script("g.sh")),
		"scripts/hooks/g.sh":   guard(`"code":"ABILITY_DENIED","payload":{"reason":"no","require_human":true}`),
		".system/hooks/f.yaml": hook("f", "PreAbilityCall", "on_failure: skip", script("f.sh")), "scripts/hooks/f.sh": "#!/bin/sh\nexit 1\n",
	}).trust()
	w.must(call("x", nil))
	lines := strings.Split(strings.TrimSpace(w.read(".system/logs/hooks.jsonl")), "\n")
	if len(lines) != 2 {
		t.Fatalf("%q", lines)
	}
	for i, want := range []map[string]any{
		{"hook_id": "f", "event_type": "PreAbilityCall", "status": "failure", "code": "crash", "ability_id": "x"},
		{"hook_id": "g", "event_type": "PreAbilityCall", "status": "success", "decision": "require_human", "session_id": "s1"},
	} {
		var got map[string]any
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
			t.Fatal(err)
		}
		for key, value := range want {
			if got[key] != value {
				t.Errorf("%s is %v in %s", key, got[key], lines[i])
			}
		}
		if _, ok := got["duration_ms"].(float64); !ok {
			t.Errorf("no duration in %s", lines[i])
		}
	}
	dir, err := pipeline.EvidenceDir(w.dirs, w.root)
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) == 0 {
		t.Error("no evidence")
	}
}

// AIC-27: a script that hangs, with a child that has its output, is ended with
// its group, and a guard that did not answer blocks.
func TestHangs(t *testing.T) {
	w := newWorld(t, map[string]string{".system/hooks/g.yaml": hook("g", "PreAbilityCall",
		"handler: {kind: script, command: scripts/hooks/g.sh, timeout_ms: 300}"),
		"scripts/hooks/g.sh": "#!/bin/sh\ntrap '' TERM\nsleep 1000 &\necho $! > child\nsleep 1000\n"}).trust()
	began := time.Now()
	r := w.must(call("x", nil))
	if r.Decision != trammel.Deny || r.Errors[0].Code != trammel.CodeTimeout || time.Since(began) > 20*time.Second {
		t.Errorf("%+v after %v", r, time.Since(began))
	}
	pid := strings.TrimSpace(w.read("child"))
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			break
		}
		if time.Now().After(end) {
			t.Fatal("its child lives on")
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := w.RunHooks(ctx, PreAbilityCallEvent, call("x", nil), true); err == nil {
		t.Errorf("canceled, and nothing said: %+v", r)
	}
}

// AIC-04: one runner for many at once, while the configuration changes.
func TestConcurrent(t *testing.T) {
	w := newWorld(t, map[string]string{".system/hooks/g.yaml": hook("g", "PreAbilityCall", script("g.sh")),
		"scripts/hooks/g.sh": guard(`"code":"ABILITY_DENIED","payload":{"reason":"no"}`)}).trust()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 5 {
				if i == 0 {
					w.replace(".system/hooks/h.yaml", hook("h", "PostAbilityCall", script("h.sh"))+"# "+time.Now().String()+"\n")
				}
				if r, err := w.run(call("x", nil), true); err != nil || r.Decision != trammel.Deny || r.Reason != "no" {
					t.Errorf("%+v, %v", r, err)
				}
			}
		})
	}
	group.Wait()
}

// An ability is a tool: hooks of trammel.yaml judge it, rewrite its arguments
// and its output, and the agent is told in the same words (AIC-03).
func TestOtherHooks(t *testing.T) {
	w := newWorld(t, map[string]string{"trammel.yaml": `version: 1
hooks:
  - {id: no-drop, on: PreAbilityCall, deny: {when: 'input.sql contains "DROP"', reason: Not this way.}}
  - {id: smaller, on: PreAbilityCall, rewrite: {input: {limit: "10"}}}
  - {id: ask, on: PreAbilityCreate, match: {tool: deploy}, ask: A person deploys.}
  - {id: note, on: PromptSubmit, context: Freeze until Monday.}
`}).trust()
	r := w.must(call("db", map[string]any{"sql": "DROP TABLE x"}))
	if r.Decision != trammel.Deny || r.HookID != "no-drop" || r.Reason != "Not this way." || len(r.Signals) != 1 ||
		r.Signals[0].Code != "ABILITY_DENIED" || r.Signals[0].Payload["ability_id"] != "db" {
		t.Errorf("%+v", r)
	}
	if r := w.must(call("db", map[string]any{"sql": "SELECT 1", "limit": 1000})); !r.Proceed() || fmt.Sprint(r.Input["limit"]) != "10" {
		t.Errorf("%+v", r)
	}
	if r := w.must(create("deploy", "")); r.Decision != trammel.Ask || len(r.Signals) != 1 || r.Signals[0].Code != "ABILITY_REQUIRES_HUMAN" {
		t.Errorf("%+v", r)
	}
	if r := w.must(&PromptSubmit{SessionID: "s", UserRawInput: "x"}); !slices.Equal(r.Context, []string{"Freeze until Monday."}) {
		t.Errorf("%+v", r)
	}
}

// AIC-61: what cannot be recorded does not happen; afterwards it is said.
func TestUnrecorded(t *testing.T) {
	w := newWorld(t, nil)
	if err := os.MkdirAll(w.dirs.State, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dirs.State, "evidence"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []Context{&PromptSubmit{SessionID: "s"}, create("x", ""), call("x", nil)} {
		if _, err := w.run(c, true); code(err) != trammel.CodeEvidence {
			t.Errorf("%s: %v", c.EventType(), err)
		}
	}
	if r := w.must(&PostAbilityCall{AbilityID: "x", Status: Success}); !strings.Contains(strings.Join(r.Warnings, ""),
		"could not be recorded") {
		t.Errorf("%+v", r)
	}
}
