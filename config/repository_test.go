package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
)

// recipes are the policies that recipes stand for.
var recipes = append(slices.Clone(testRegistry), registry{
	{Name: "usage-tracker", May: trammel.Observe}, {Name: "prompt-router", May: trammel.Contextual}, {Name: "ability-availability",
		May: trammel.Guard},
	{Name: "prod-config-guard", May: trammel.Guard}, {Name: "build-check", May: trammel.Observe},
}...)

func repositoryFile(name, text string) layers.File {
	return layers.File{Layer: layers.Project, Path: "/repo/.system/hooks/" + name, Dir: "/repo", Data: []byte(text), Trust: layers.Trusted}
}

func compileHooks(texts ...string) (*Compiled, error) {
	set := &layers.Set{Root: "/repo", Pins: map[string]string{"/repo/scripts/g.py": "sha256:1"}}
	for i, text := range texts {
		set.Files = append(set.Files, repositoryFile(fmt.Sprintf("%d.yaml", i), text))
	}
	return Compile(set, recipes)
}

const minimal = "id: g\nevent_type: PreAbilityCall\nenabled: true\nblocking: true\nhandler: {kind: script, command: ./scripts/g.py}\n"

// AIC-20, AIC-26, AIC-27: each error names its place.
func TestRepositoryHookErrors(t *testing.T) {
	replace := func(old, with string) string { return strings.Replace(minimal, old, with, 1) }
	for name, c := range map[string]struct{ text, want string }{
		"empty":            {"", "0.yaml:1:1: the file declares no hook"},
		"only a comment":   {"# nothing\n", "the file declares no hook"},
		"not a mapping":    {"- id: g\n", "0.yaml:1:1: the file is of the wrong type"},
		"two documents":    {minimal + "---\n" + minimal, "more than one document"},
		"no id":            {replace("id: g\n", ""), `the key "id" is missing`},
		"no event":         {replace("event_type: PreAbilityCall\n", ""), `the key "event_type" is missing`},
		"no enabled":       {replace("enabled: true\n", ""), `the key "enabled" is missing`},
		"no blocking":      {replace("blocking: true\n", ""), `the key "blocking" is missing`},
		"unknown key":      {minimal + "sumary: x\n", `0.yaml:6:1: unknown key "sumary", did you mean "summary"?`},
		"a key twice":      {minimal + "id: h\n", `0.yaml:6:1: the key "id" is given twice`},
		"our own format":   {"version: 1\nhooks: []\n", `unknown key "version"`},
		"upper case":       {replace("id: g", "id: Guard"), "0.yaml:1:5: id has a wrong value"},
		"a path as id":     {replace("id: g", "id: a/b"), "0.yaml:1:5: id has a wrong value"},
		"another event":    {replace("PreAbilityCall", "pre_tool_use"), "0.yaml:2:13: event_type has a wrong value"},
		"enabled is text":  {replace("enabled: true", `enabled: "true"`), "0.yaml:3:10: enabled is of the wrong type"},
		"blocking is yes":  {replace("blocking: true", "blocking: yes"), "0.yaml:4:11: blocking is of the wrong type"},
		"another kind":     {replace("kind: script", "kind: ftp"), "0.yaml:5:17: handler.kind has a wrong value"},
		"http without url": {replace("{kind: script, command: ./scripts/g.py}", "{kind: http}"), `0.yaml:5:17: the key "url" is missing`},
		"http with command": {replace("{kind: script, command: ./scripts/g.py}", "{kind: http, url: 'https://x/', command: x}"),
			"a handler of kind http has no command"},
		"script with url": {replace("{kind: script, command: ./scripts/g.py}", "{kind: script, command: x, url: 'https://x/'}"),
			"a handler of kind script has no url"},
		"no command": {replace(", command: ./scripts/g.py", ""), `the key "command" is missing`},
		"outside":    {replace("./scripts/g.py", "../g.py"), "0.yaml:5:34: the command is not a path inside the repository"},
		"absolute":   {replace("./scripts/g.py", "/bin/true"), "the command is not a path inside the repository"},
		"no handler": {replace("handler: {kind: script, command: ./scripts/g.py}\n", ""),
			"the hook has no handler, and no recipe is called g"},
		"built-in, elsewhere": {replace("{kind: script, command: ./scripts/g.py}", "{kind: builtin, command: observer}"),
			"0.yaml:5:35: the policy observer does nothing on PreAbilityCall"},
		"no such built-in": {replace("{kind: script, command: ./scripts/g.py}", "{kind: builtin, command: nothing}"), "unknown policy"},
		"a recipe of another": {"id: prompt_router\nevent_type: PreAbilityCall\nenabled: true\nblocking: true\n",
			"the recipe prompt_router does not run on PreAbilityCall"},
		"on_failure, no use": {replace("blocking: true", "blocking: false") + "on_failure: skip\n",
			"0.yaml:6:13: a failure of this hook never stops anything"},
		"on_failure, late": {replace("PreAbilityCall", "PostAbilityCall") + "on_failure: fail\n",
			"a failure of this hook never stops anything"},
		"scope on a prompt": {replace("PreAbilityCall", "PromptSubmit") + "match: {ability_scope: x}\n",
			"0.yaml:6:24: match.ability_scope never matches on PromptSubmit"},
		"scope at the end": {replace("PreAbilityCall", "SessionStop") + "match: {ability_scope: x}\n",
			"match.ability_scope never matches on SessionStop"},
		"duration before":     {minimal + "match: {min_duration_ms: 1}\n", "match.min_duration_ms never matches on PreAbilityCall"},
		"paths at a call":     {minimal + "match: {only_if_changed_paths: x}\n", "match.only_if_changed_paths never matches on PreAbilityCall"},
		"negative duration":   {replace("PreAbilityCall", "PostAbilityCall") + "match: {min_duration_ms: -1}\n", "a whole number from zero"},
		"nothing in scope":    {minimal + "match: {ability_scope: []}\n", "an empty list matches nothing"},
		"a glob that is none": {minimal + "match: {ability_scope: \"[\"}\n", "ability_scope has a wrong value"},
		"unknown match key":   {minimal + "match: {agent: x}\n", `unknown key "agent"`},
		"a recipe's event is off": {"id: prod-config-guard\nevent_type: PostAbilityCall\nenabled: true\nblocking: true\n",
			"does not run on PostAbilityCall"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := compileHooks(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("found %v\nexpected %s", err, c.want)
			}
		})
	}
	if _, err := compileHooks(minimal, minimal); err == nil || !strings.Contains(err.Error(),
		`1.yaml:1:5: hook "g" is already declared at /repo/.system/hooks/0.yaml:1`) {
		t.Errorf("AIC-20, an id twice: %v", err)
	}
}

// AIC-20, AIC-25, AIC-62: what a declaration becomes.
func TestRepositoryHookPlan(t *testing.T) {
	c, err := compileHooks(minimal+"summary: >\n  Two\n  lines.\neffects: [a, {b: c}]\n",
		"id: slow-log\nevent_type: PostAbilityCall\nenabled: true\nblocking: false\nmatch: {ability_scope: [a, \"b.*\"], min_duration_ms: "+
			"250}\nhandler: {kind: script, command: scripts/new.py, timeout_ms: 1500}\n",
		"id: prod-config-guard\nevent_type: PreAbilityCall\nenabled: true\nblocking: false\nhandler: {kind: script, command: scripts/new.py}\n",
		"id: session_stop_build_check\nevent_type: SessionStop\nenabled: true\nblocking: false\nmatch: {only_if_changed_paths: \"a/**\"}\n")
	if err != nil {
		t.Fatal(err)
	}
	guard, slow, trial, build := c.Hooks[0], c.Hooks[1], c.Hooks[2], c.Hooks[3]
	hook := func(id, event, blocking, handler string) string {
		return fmt.Sprintf("id: %s\nevent_type: %s\nenabled: true\nblocking: %s\nhandler: {%s}\n", id, event, blocking, handler)
	}
	for text, want := range map[string]string{
		// The script of a recipe's id counts if a person has trusted it, or if the recipe is for another event.
		hook("prod-config-guard", "PreAbilityCall", "true", "kind: script, command: scripts/g.py"):     "command guard",
		hook("prod-config-guard", "PostAbilityCall", "false", "kind: script, command: scripts/new.py"): "command observe",
		// A policy does no more than it may, and one that blocks is not on trial.
		hook("x", "PreAbilityCall", "true", "kind: builtin, command: guard"):       "builtin guard",
		hook("x", "PreAbilityCall", "false", "kind: builtin, command: guard"):      "builtin guard trial",
		hook("x", "PromptSubmit", "true", "kind: builtin, command: prompt-router"): "builtin context",
	} {
		one, err := compileHooks(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		h := &one.Hooks[0]
		got := fmt.Sprint(h.Kind, " ", h.May)
		if h.Trial {
			got += " trial"
		}
		if got != want {
			t.Errorf("%s: %s, expected %s", text, got, want)
		}
	}
	if guard.Kind != "command" || guard.Dialect != "repohooks" || guard.May != trammel.Guard || !guard.Blocking ||
		guard.OnError != trammel.BlockOnError || guard.Timeout != 30*time.Second ||
		!slices.Equal(guard.On, []trammel.Kind{trammel.PreToolUse}) || c.Report[0].About != "Two lines." {
		t.Errorf("%+v", guard)
	}
	if want := `{"dialect":"repohooks","exec":["./scripts/g.py"],"pinned":{"/repo/scripts/g.py":"sha256:1"},` +
		`"speak":{"hook_id":"g"}}`; string(guard.Config) != want {
		t.Errorf("found %s\nexpected %s", guard.Config, want)
	}
	if slow.May != trammel.Observe || slow.Blocking || slow.OnError != trammel.WarnOnError || slow.Match.Slower != 250*time.Millisecond ||
		!slices.Equal(slow.Match.Abilities, []string{"a", "b.*"}) ||
		slow.Timeout != 1500*time.Millisecond || !strings.Contains(string(slow.Config), `"/repo/scripts/new.py":"absent"`) {
		t.Errorf("%+v %s", slow, slow.Config)
	}
	if trial.Kind != "builtin" || !trial.Trial || string(trial.Config) != `{"use":"prod-config-guard"}` {
		t.Errorf("an untrusted script, of a hook that is not blocking: %+v %s", trial, trial.Config)
	}
	if build.Kind != "builtin" || build.May != trammel.Observe || !slices.Equal(build.Match.Changed, []string{"a/**"}) ||
		build.Timeout != 10*time.Minute {
		t.Errorf("%+v", build)
	}
	if got := EntryPoints(c, "/repo"); !slices.Equal(got, []string{"/repo/scripts/g.py", "/repo/scripts/new.py"}) {
		t.Errorf("trust would pin %v", got)
	}
}

// AIC-60: when a hook runs, in a few words.
func TestMatchSummary(t *testing.T) {
	for text, want := range map[string]string{
		"event_type: PromptSubmit":                                      "all sessions",
		"event_type: SessionStop":                                       "all sessions",
		"event_type: PreAbilityCall":                                    "ability=*",
		"event_type: PreAbilityCall\nmatch: {ability_scope: edit_file}": "ability=edit_file",
		"event_type: PostAbilityCall\nmatch: {ability_scope: [a, b], min_duration_ms: 100}":       "ability=a,b duration>=100ms",
		"event_type: PostAbilityCall\nmatch: {ability_scope: \"*\", min_duration_ms: 0}":          "ability=*",
		"event_type: SessionStop\nmatch: {only_if_changed_paths: [\"services/**\", \"apps/**\"]}": "paths=services/**,apps/**",
	} {
		c, err := compileHooks("id: g\nenabled: true\nblocking: true\nhandler: {kind: script, command: x}\n" + text + "\n")
		if err != nil || c.Report[0].Repository.MatchSummary() != want {
			t.Errorf("%s: %v, %v", text, c, err)
		}
	}
}

// AIC-26: an untrusted file cannot break the others.
func TestRepositoryHookUntrusted(t *testing.T) {
	set := &layers.Set{Root: "/repo", Files: []layers.File{repositoryFile("a.yaml", "nonsense: [\n"), repositoryFile("b.yaml", "id: b\n"),
		repositoryFile("c.yaml", "id: prod_config_guard\nevent_type: PreAbilityCall\nenabled: true\nblocking: true\n"),
		repositoryFile("d.yaml", minimal)}}
	for i := range set.Files {
		set.Files[i].Trust = layers.Unknown
	}
	c, err := Compile(set, recipes)
	if err != nil || len(c.Hooks) != 1 || c.Hooks[0].ID != "prod_config_guard" {
		t.Fatalf("%+v, %v", c, err)
	}
	var got []Status
	for _, e := range c.Report {
		got = append(got, e.Status)
	}
	if !slices.Equal(got, []Status{Broken, Broken, InForce, Untrusted}) {
		t.Errorf("%v", got)
	}
}

// AIC-20: the schema takes what the reader takes, and knows each key.
func TestRepositoryHookSchema(t *testing.T) {
	data, err := RepositoryHookSchema()
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	valid := func() map[string]any {
		return map[string]any{"id": "g", "event_type": "PostAbilityCall", "enabled": true, "blocking": false, "summary": "x",
			"effects": []any{"a", map[string]any{"b": "c"}},
			"match":   map[string]any{"ability_scope": []any{"a"}, "min_duration_ms": 1.0}, "handler": map[string]any{"kind": "script",
				"command": "x"}}
	}
	if err := resolved.Validate(valid()); err != nil {
		t.Error(err)
	}
	for key, value := range map[string]any{"id": "A b", "event_type": "pre_tool_use", "enabled": "yes", "blocking": nil, "more": 1.0,
		"on_failure": "ignore", "match": map[string]any{"agent": "x"}, "handler": map[string]any{"kind": "ftp", "command": "x"}} {
		wrong := valid()
		if wrong[key] = value; resolved.Validate(wrong) == nil {
			t.Errorf("%s: %v was taken", key, value)
		}
	}
	for _, key := range []string{"id", "event_type", "enabled", "blocking"} {
		wrong := valid()
		if delete(wrong, key); resolved.Validate(wrong) == nil {
			t.Errorf("without %s it was taken", key)
		}
	}
}

// Whatever stands in a file below .system/hooks, trusted or not: it is read or
// refused, and what is in force does not go beyond its event.
func FuzzRepositoryHook(f *testing.F) {
	f.Add(minimal, true)
	f.Add("id: prompt_router\nevent_type: PromptSubmit\nenabled: true\nblocking: true\non_failure: fail\nmatch: {}\n", false)
	f.Fuzz(func(t *testing.T, text string, trusted bool) {
		file := repositoryFile("f.yaml", text)
		if !trusted {
			file.Trust = layers.Unknown
		}
		c, err := Compile(&layers.Set{Root: "/repo", Files: []layers.File{file}}, recipes)
		if err != nil {
			if !trusted {
				t.Fatalf("an untrusted file stops everything: %v", err)
			}
			return
		}
		for _, h := range c.Hooks {
			if h.May > trammel.Guard || h.Dialect != "repohooks" || !trusted && h.Kind != "builtin" {
				t.Fatalf("%+v", h)
			}
		}
	})
}
