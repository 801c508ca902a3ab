//go:build unix

package repohooks

import (
	"context"
	"encoding/json"
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
		if _, err := w.run(call("x", nil), true, id); trammel.CodeOf(err) != trammel.CodeConfig {
			t.Errorf("bound to %s: %v", id, err)
		}
	}
	if r := w.must(&PostAbilityCall{AbilityID: "x", Status: Success}, "missing", "mine"); len(r.Errors) != 2 ||
		r.Errors[0].Code != trammel.CodeConfig || !r.Proceed() {
		t.Errorf("after the fact: %+v", r)
	}
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
	if _, err := w.run(call("x", nil), true, "g"); trammel.CodeOf(err) != trammel.CodeConfig {
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
	var w *world
	pid := ""
	for limit := 1000; pid == ""; limit *= 2 { // a slow machine takes longer to start it
		w = newWorld(t, map[string]string{".system/hooks/g.yaml": hook("g", "PreAbilityCall",
			fmt.Sprintf("handler: {kind: script, command: scripts/hooks/g.sh, timeout_ms: %d}", limit)),
			"scripts/hooks/g.sh": "#!/bin/sh\ntrap '' TERM\nsleep 1000 &\necho $! > child\nsleep 1000\n", "child": ""}).trust()
		r := w.must(call("x", nil))
		if r.Decision != trammel.Deny || r.Errors[0].Code != trammel.CodeTimeout {
			t.Fatalf("%+v", r)
		}
		pid = strings.TrimSpace(w.read("child"))
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
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
		if _, err := w.run(c, true); trammel.CodeOf(err) != trammel.CodeEvidence {
			t.Errorf("%s: %v", c.EventType(), err)
		}
	}
	if r := w.must(&PostAbilityCall{AbilityID: "x", Status: Success}); !strings.Contains(strings.Join(r.Warnings, ""),
		"could not be recorded") {
		t.Errorf("%+v", r)
	}
}
