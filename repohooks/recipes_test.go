//go:build unix

package repohooks

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config"
)

// samples are declarations of the five recipes.
func samples() map[string]string {
	return map[string]string{
		".system/hooks/usage.yaml": strings.Replace(hook("ability_usage_tracker", "PostAbilityCall",
			`match: {ability_scope: "*", min_duration_ms: 0}`, script("ability_usage_tracker.py")), "blocking: true", "blocking: false", 1),
		".system/hooks/router.yaml": hook("prompt_router", "PromptSubmit", script("prompt_router.py"),
			"effects: [suggest_abilities, {note: x}]"),
		".system/hooks/availability.yaml": hook("nonprod_availability_check", "PreAbilityCreate", `match: {ability_scope: "*"}`,
			script("nonprod_availability_check.py")),
		".system/hooks/prod.yaml": hook("prod_config_guard", "PreAbilityCall", `match: {ability_scope: edit_file}`,
			script("prod_config_guard.py")),
		".system/hooks/build.yaml": strings.Replace(hook("session_stop_build_check", "SessionStop",
			`match: {only_if_changed_paths: ["services/**", "apps/**"]}`, script("session_stop_build_check.sh")), "blocking: true",
			"blocking: false", 1),
	}
}

const operation = `operation_key: db.write.user_row
version: "1"
summary: Write a row.
kind: script
scope: {environments: [dev, staging], modules: [db]}
input_schema: {type: object}
output_schema: {type: object}
routing_hints: {keywords: [user row, database], negative_keywords: [schema]}
impl: {kind: script, script: {path: scripts/write.sh}}
`

// AIC-65, AIC-28: declarations of the recipes work with the scripts missing.
func TestRecipes(t *testing.T) {
	files := samples()
	files[".system/registry/low-level/write.yaml"] = operation
	files[".system/registry/low-level/plain.yaml"] = strings.NewReplacer("db.write.user_row", "plain",
		"scope: {environments: [dev, staging], modules: [db]}\n", "").Replace(operation)
	files["integration/ROUTING.md"] = "# Signup end-to-end tests\n"
	checkRecipes(t, newWorld(t, files).trust())
}

func checkRecipes(t *testing.T, w *world) {
	t.Helper()
	// prompt_router
	r := w.must(&PromptSubmit{SessionID: "s", UserRawInput: "Please fix the signup and write the user rows"})
	if len(r.Signals) != 2 || r.Signals[0].HookID != "prompt_router" || r.Signals[0].Kind != "routing_hint" ||
		r.Signals[1].Kind != "normalized_intent" {
		t.Fatalf("prompt_router: %+v", r)
	}
	data, _ := json.Marshal(r.Signals)
	for _, want := range []string{`"id":"db.write.user_row"`, `"path":"integration/ROUTING.md"`, `"stage":"act"`, `"confidence":`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("prompt_router: %s is not in %s", want, data)
		}
	}
	if r := w.must(&PromptSubmit{SessionID: "s", UserRawInput: "Change the database schema"}); strings.Contains(fmt.Sprint(r.Signals),
		"db.write.user_row") {
		t.Errorf("prompt_router: a negative keyword does not count: %v", r.Signals)
	}
	if r := w.must(&PromptSubmit{SessionID: "s", UserRawInput: "hello"}); len(r.Signals) != 0 || len(r.Ran) != 1 {
		t.Errorf("prompt_router: %+v", r)
	}
	// nonprod_availability_check
	for _, c := range []struct {
		ability, environment string
		want                 trammel.Decision
		code                 string
	}{
		{"db.write.user_row", "staging", trammel.None, "ABILITY_AVAILABLE"}, {"db.write.user_row", "", trammel.None, "ABILITY_AVAILABLE"},
		{"db.write.user_row", "prod", trammel.Deny, "ABILITY_UNAVAILABLE"}, {"plain", "prod", trammel.Ask, "ABILITY_REQUIRES_HUMAN"},
		{"plain", "dev", trammel.None, "ABILITY_AVAILABLE"}, {"nothing", "dev", trammel.Deny, "ABILITY_UNAVAILABLE"},
	} {
		r := w.must(create(c.ability, c.environment))
		if r.Decision != c.want || len(r.Signals) != 1 || r.Signals[0].Code != c.code || r.Signals[0].HookID != "nonprod_availability_check" ||
			c.want > trammel.Allow && (r.Reason == "" || r.Suggestion == "") {
			t.Errorf("nonprod_availability_check of %s in %q: %+v", c.ability, c.environment, r)
		}
	}
	// prod_config_guard
	r = w.must(call("edit_file", map[string]any{"file_path": "config/production.yaml", "content": "x"}))
	if r.Decision != trammel.Ask || len(r.Signals) != 1 || r.Signals[0].Code != "ABILITY_DENIED" ||
		r.Signals[0].Payload["require_human"] != true || r.Signals[0].Payload["ability_id"] != "edit_file" {
		t.Errorf("prod_config_guard: %+v", r)
	}
	for _, c := range []Context{call("edit_file", map[string]any{"file_path": "config/dev.yaml", "content": "x"}),
		call("other", map[string]any{"file_path": "config/production.yaml"})} {
		if r := w.must(c); !r.Proceed() {
			t.Errorf("prod_config_guard: %+v", r)
		}
	}
	// ability_usage_tracker
	for _, status := range []Status{Success, Failure, Partial} {
		if r, err := w.run(&PostAbilityCall{AbilityID: "edit_file", Status: status, DurationMS: 20000}, false); err != nil || len(r.Ran) != 1 ||
			len(r.Errors) > 0 {
			t.Errorf("ability_usage_tracker: %+v, %v", r, err)
		}
	}
	if text := w.read(".system/cache/ability_usage.json"); !strings.Contains(text, `"edit_file":{"calls":3,"failures":1,"slow":3`) {
		t.Errorf("ability_usage_tracker: %s", text)
	}
	if text := w.read(".system/logs/slow_abilities.log"); strings.Count(text, "\n") != 3 {
		t.Errorf("ability_usage_tracker: %s", text)
	}
	// session_stop_build_check
	w.write("services/pay/go.mod", "module pay\n\ngo 1.26\n")
	w.write("services/pay/pay.go", "package pay\n\nfunc Pay() int { return \"no\" }\n")
	if r, err := w.run(&SessionStop{SessionID: "s", ChangedFiles: []string{"docs/x.md"}}, false); err != nil || len(r.Ran) != 0 {
		t.Errorf("session_stop_build_check ran without a reason: %+v, %v", r, err)
	}
	r, err := w.run(&SessionStop{SessionID: "s", ChangedFiles: []string{"services/pay/pay.go"}}, false)
	if err != nil || len(r.Ran) != 1 || len(r.Errors) > 0 || !strings.Contains(strings.Join(r.Warnings, ""), "go build") {
		t.Errorf("session_stop_build_check: %+v, %v", r, err)
	}
	if text := w.read(".system/logs/session_stop_build_check.json"); !strings.Contains(text, `"status":"failed"`) ||
		!strings.Contains(text, "cannot use") {
		t.Errorf("session_stop_build_check: %s", text)
	}
}

// AIC-65: the declarations as the document prints them, where it is at hand.
func TestRecipesAsPrinted(t *testing.T) {
	text, err := os.ReadFile("../../shared/seeds/004_426e744192c82fa4.txt")
	if err != nil {
		t.Skip("the document is not at hand")
	}
	_, recipes, _ := strings.Cut(string(text), "## 5. Patterns and Recipes")
	files := map[string]string{".system/registry/low-level/write.yaml": operation,
		".system/registry/low-level/plain.yaml": strings.NewReplacer("db.write.user_row", "plain",
			"scope: {environments: [dev, staging], modules: [db]}\n", "").Replace(operation),
		"integration/ROUTING.md": "# Signup end-to-end tests\n"}
	for i, m := range regexp.MustCompile("(?s)```yaml\n(id: .*?)```").FindAllStringSubmatch(recipes, -1) {
		files[fmt.Sprintf(".system/hooks/%d.yaml", i)] = m[1]
	}
	if len(files) != 8 {
		t.Fatalf("%d files", len(files))
	}
	checkRecipes(t, newWorld(t, files).trust())
}

// AIC-65: a script wins where a person has trusted it, and only then; until
// then the recipes that guard hold.
func TestScriptsWin(t *testing.T) {
	w := newWorld(t, samples())
	prod := call("edit_file", map[string]any{"file_path": "config/production.yaml", "content": "x"})
	if r := w.must(prod); r.Decision != trammel.Ask {
		t.Errorf("untrusted, no script: %+v", r)
	}
	if r := w.must(&PromptSubmit{SessionID: "s", UserRawInput: "hello"}); len(r.Ran) != 0 {
		t.Errorf("untrusted, and no guard: %+v", r)
	}
	w.trust()
	w.write("scripts/hooks/prod_config_guard.py", says("{}"))
	if r := w.must(prod); r.Decision != trammel.Ask {
		t.Errorf("a script that came later took the place of the guard: %+v", r)
	}
	w.trust()
	if r := w.must(prod); r.Decision != trammel.None || len(r.Ran) != 1 {
		t.Errorf("the trusted script does not win: %+v", r)
	}
	if !strings.Contains(w.read("seen.json"), `"ability_id":"edit_file"`) {
		t.Error("the script did not run")
	}
	if err := os.Remove(w.root + "/scripts/hooks/prod_config_guard.py"); err != nil {
		t.Fatal(err)
	}
	if r := w.must(prod); r.Decision != trammel.Deny {
		t.Errorf("a trusted script that is gone: %+v", r)
	}
}

// AIC-65: each recipe by name, as a built-in handler.
func TestRecipesAsBuiltins(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git on this machine")
	}
	for _, r := range config.Recipes() {
		w := newWorld(t, map[string]string{".system/hooks/h.yaml": hook("mine", string(r.Event), "handler: {kind: builtin, command: "+r.ID+
			"}")}).trust()
		c := map[EventType]Context{PromptSubmitEvent: &PromptSubmit{SessionID: "s", UserRawInput: "x"}, PreAbilityCreateEvent: create("x", ""),
			PreAbilityCallEvent:  call("x", nil),
			PostAbilityCallEvent: &PostAbilityCall{AbilityID: "x", Status: Success}, SessionStopEvent: &SessionStop{SessionID: "s"}}[r.Event]
		if r, err := w.run(c, false); err != nil || len(r.Ran) != 1 || len(r.Errors) > 0 || r.Ran[0].HookID != "mine" {
			t.Errorf("%+v, %v", r, err)
		}
	}
}
