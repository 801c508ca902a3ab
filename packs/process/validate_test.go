package process_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/packs"
	"github.com/trammel-dev/trammel/packs/process"
)

// edit changes a file of a copy of the purchase process.
type edit struct{ file, old, new string }

func edited(t *testing.T, edits ...edit) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/purchase")); err != nil {
		t.Fatal(err)
	}
	for _, e := range edits {
		path := filepath.Join(dir, e.file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(string(data), e.old, e.new, 1)
		if text == string(data) {
			t.Fatalf("%s has no %q", e.file, e.old)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// FST-70 FST-71 FST-77: each step finds its own fault, under its own code, at
// its place.
func TestValidationSteps(t *testing.T) {
	const manifest, profile, hooks = "process.manifest.yaml", "profile.yaml", "hooks.yaml"
	for _, c := range []struct {
		name, code, path string
		edit             edit
	}{
		{"id", process.StepManifest, manifest + ":process.id", edit{manifest, "id: purchase", "id: P!!"}},
		{"id missing", process.StepManifest, manifest + ":process.id", edit{manifest, "  id: purchase\n", ""}},
		{"version", process.StepManifest, manifest + ":process.version", edit{manifest, "version: 0.1.0", "version: zzz"}},
		{"short version", process.StepManifest, manifest + ":process.version", edit{manifest, "version: 0.1.0", `version: "1.2"`}},
		{"absolute", process.StepManifest, manifest + ":process.profile_path", edit{manifest, "profile_path: profile.yaml",
			"profile_path: /etc/passwd"}},
		{"escapes", process.StepManifest, manifest + ":process.profile_path", edit{manifest, "profile_path: profile.yaml",
			"profile_path: ../profile.yaml"}},
		{"backslashes", process.StepManifest, manifest + ":process.hooks_path", edit{manifest, "hooks_path: hooks.yaml",
			`hooks_path: '..\hooks.yaml'`}},
		{"not there", process.StepManifest, manifest + ":process.hooks_path", edit{manifest, "hooks_path: hooks.yaml", "hooks_path: none.yaml"}},
		{"capability", process.StepManifest, manifest + ":requires.capabilities", edit{manifest, "capabilities: [store.write]",
			"capabilities: [order.place]"}},
		{"mode", process.StepManifest, manifest + ":requires.materialization_modes", edit{manifest, "[mock, real]", "[mock, real, dream]"}},
		{"kind", process.StepManifest, manifest + ":package.kind", edit{manifest, "kind: directory", "kind: cloud"}},
		{"profile api", process.StepAPI, manifest + ":process.profile_api", edit{manifest, "fst.profile.v1", "fst.profile.v9"}},
		{"logic api", process.StepAPI, manifest + ":process.logic_api", edit{manifest, "  logic_api: fst.process_logic.v1\n", ""}},
		{"gate without a condition", process.StepShape, profile + ":gates[0]", edit{profile, "    condition: { payload_missing: amount }\n", ""}},
		{"unknown operator", process.StepShape, profile + ":gates[0].condition.payload_gone", edit{profile, "payload_missing: amount",
			"payload_gone: amount"}},
		{"never holds", process.StepShape, profile + ":gates[3].condition.always", edit{profile, "always: true", "always: false"}},
		{"twice", process.StepShape, profile + ":gates[1].id", edit{profile, "id: no_bypass", "id: amount_known"}},
		{"both spellings", process.StepShape, profile + ":actions[0].id", edit{profile, "  - id: purchase.request\n",
			"  - id: purchase.request\n    name: x\n"}},
		{"key twice", process.StepShape, profile, edit{profile, "roles: [agent, task_user, approver, system]", "roles: [agent]\nroles: [agent]"}},
		{"a number as a text", process.StepShape, profile + ":profile.purpose", edit{profile, "purpose: Buy what is needed, and nothing else.",
			"purpose: 5"}},
		{"hook failure", process.StepShape, profile + ":profile.on_hook_failure", edit{profile, "  initial_stage: requested\n",
			"  initial_stage: requested\n  on_hook_failure: Continue\n"}},
		{"route that is not listed", process.StepRoutes, profile + ":gates[0].route", edit{profile, "Continue, InstructAgent, AskUser, ",
			"Continue, InstructAgent, "}},
		{"mode of action", process.StepShape, profile + ":actions[2].materialization_mode", edit{profile, "materialization_mode: mock",
			"materialization_mode: dream"}},
		{"next action", process.StepActions, profile + ":actions[0].next_actions[0]", edit{profile, "next_actions: [purchase.quote]",
			"next_actions: [nowhere]"}},
		{"capability of action", process.StepActions, profile + ":actions[3].required_capabilities[0]", edit{profile, "[order.place]",
			"[store.write]"}},
		{"artifact", process.StepArtifacts, profile + ":actions[1].produces_artifacts[0]", edit{profile, "produces_artifacts: [quote]",
			"produces_artifacts: [quota]"}},
		{"artifact of gate", process.StepArtifacts, profile + ":gates[3].required_artifacts[1]", edit{profile, "[purchase_request, quote]",
			"[purchase_request, quota]"}},
		{"gate", process.StepGates, profile + ":gates[0].before_action", edit{profile, "before_action: purchase.request",
			"before_action: purchase.dream"}},
		{"route", process.StepRoutes, profile + ":gates[0].route", edit{profile, "route: AskUser", "route: Teleport"}},
		{"route that lets pass", process.StepRoutes, profile + ":gates[0].route", edit{profile, "route: AskUser", "route: Continue"}},
		{"hook manifest", process.StepHooks, hooks + ":runtime.kind", edit{hooks, "python_stdio", "rust_stdio"}},
		{"export", process.StepHooks, profile + ":gates[4].condition.fact_equals", edit{profile, "limit.over", "limits.over"}},
		{"type of export", process.StepHooks, profile + ":gates[4].condition.fact_equals", edit{profile, "limit.over", "check_quote.over"}},
		{"forbidden output", process.StepForbidden, hooks + ":contract.allowed_output_fields[2]", edit{hooks, "facts, diagnostics]",
			"route, diagnostics]"}},
		{"approvals as artifacts", process.StepForbidden, profile + ":artifact_types[1].id", edit{profile, "id: quote", "id: approval_record"}},
		{"schema", process.StepSchemas, profile + ":artifact_types[1].schema", edit{"schemas/artifacts/quote.json", `{"type": "object"`,
			`{"type": 7`}},
		{"scenarios", process.StepScenarios, "scenarios", edit{"scenarios/all.yaml", "  - id: hook_failure\n", ""}},
		{"scope", process.StepScope, profile + ":actions[2].materialization_scope_fields",
			edit{profile, "    materialization_scope_fields: [vendor, amount]\n", ""}},
		{"mode not listed", process.StepScope, profile + ":actions[2].materialization_mode", edit{profile, "materialization_mode: mock",
			"materialization_mode: shadow"}},
		{"approval", process.StepApprovals, profile + ":gates[4].required_approval",
			edit{profile, "    required_approval: { role: approver, scope: purchase.order }\n", ""}},
		{"self approval", process.StepApprovals, profile + ":gates[4].required_approval.role", edit{profile, "role: approver, scope",
			"role: agent, scope"}},
		{"approver acts", process.StepApprovals, profile + ":actions[0].allowed_roles", edit{profile, "allowed_roles: [agent, task_user]",
			"allowed_roles: [agent, approver]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, report := process.Read(edited(t, c.edit))
			found := slices.ContainsFunc(report.Diagnostics, func(d packs.Diagnostic) bool {
				return d.Severity == packs.Error && d.Code == c.code && d.Path == c.path && d.Message != ""
			})
			if report.Valid || !found {
				t.Errorf("expected %s at %s, got %+v", c.code, c.path, report)
			}
		})
	}
}

// FST-77: a pack that is broken in every way gets a remark for each step, in
// their order, up to the one that claims authority.
func TestBrokenEverywhere(t *testing.T) {
	all := []edit{
		{"process.manifest.yaml", "version: 0.1.0", "version: zzz"}, {"process.manifest.yaml", "fst.profile.v1", "fst.profile.v9"},
		{"profile.yaml", "id: no_bypass", "id: amount_known"}, {"profile.yaml", "next_actions: [purchase.quote]", "next_actions: [nowhere]"},
		{"profile.yaml", "produces_artifacts: [quote]", "produces_artifacts: [quota]"},
		{"profile.yaml", "before_action: purchase.request", "before_action: purchase.dream"}, {"profile.yaml", "route: AskUser",
			"route: Teleport"},
		{"profile.yaml", "limit.over", "limits.over"}, {"schemas/artifacts/quote.json", `{"type": "object"`, `{"type": 7`},
		{"scenarios/all.yaml", "  - id: hook_failure\n", ""}, {"profile.yaml", "    materialization_scope_fields: [vendor, amount]\n", ""},
		{"profile.yaml", "    required_approval: { role: approver, scope: purchase.order }\n", ""},
	}
	codes := func(dir string) (out []string) {
		_, report := process.Read(dir)
		for _, d := range report.Diagnostics {
			if d.Severity == packs.Error {
				out = append(out, d.Code)
			}
		}
		if report.Valid || report.ID != "purchase" || report.Version != "zzz" || report.ProfileAPI != "fst.profile.v9" || report.LogicAPI == "" {
			t.Errorf("%+v", report)
		}
		return slices.Compact(out)
	}
	want := []string{process.StepManifest, process.StepAPI, process.StepShape, process.StepActions, process.StepArtifacts, process.StepGates,
		process.StepRoutes, process.StepHooks, process.StepSchemas, process.StepScenarios, process.StepScope, process.StepApprovals}
	if got := codes(edited(t, all...)); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	withAuthority := append(all, edit{"hooks.yaml", "facts, diagnostics]", "route, diagnostics]"})
	if got := codes(edited(t, withAuthority...)); got[len(got)-1] != process.StepForbidden {
		t.Errorf("validation went on behind a claim of authority: %v", got)
	}
}

// FST-71: the older spelling is the same profile.
func TestOlderSpelling(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	manifest := "process: {id: notes, version: 1.0.0, profile_api: fst.profile.v1, logic_api: fst.process_logic.v1}\n"
	write("process.manifest.yaml", manifest)
	write("profile.yaml", `
profile: {id: notes, version: 1.0.0}
roles: [agent]
routes: [Continue, AskUser, InstructAgent, Blocked]
artifact_types: [{id: note}]
actions:
  - {id: note.write, produces_artifacts: [note]}
  - {id: note.send}
gates:
  - {id: text, type: decision, before_action: note.write, condition: {payload_missing: text}, route: AskUser, reason: No text.}
  - {id: spam, type: decision, before_action: note.send, condition: {payload_equals: {kind: spam}}, route: Blocked, reason: Spam.}
  - {id: first, type: process_conformance, before_action: note.send, condition: {always: true}, route: InstructAgent,
     required_artifacts: [note]}
`)
	newer, report := process.Read(dir)
	if newer == nil {
		t.Fatalf("%+v", report)
	}
	os.Remove(filepath.Join(dir, "profile.yaml"))
	write("core-profile.json", `{"id": "notes", "version": "1.0.0", "roles": [{"name": "agent"}],
"routes": [{"name": "Continue"}, {"name": "AskUser"}, {"name": "InstructAgent"}, {"name": "Blocked"}],
"artifact_types": [{"name": "note"}],
"actions": [{"name": "note.write", "creates_artifacts": ["note"]}, {"name": "note.send"}],
"gates": [
 {"name": "text", "action": "note.write", "condition": {"field": "text", "op": "missing"}, "route": "AskUser", "message": "No text."},
 {"name": "spam", "action": "note.send", "condition": {"field": "kind", "op": "equals", "value": "spam"},
  "route": "Blocked", "message": "Spam."},
 {"name": "first", "action": "note.send", "condition": {"op": "always"}, "route": "InstructAgent", "requires_artifacts": ["note"]}]}`)
	older, report := process.Read(dir)
	if older == nil || older.Digest != newer.Digest {
		t.Errorf("%+v\n%+v\n%+v", report, older, newer)
	}
}
