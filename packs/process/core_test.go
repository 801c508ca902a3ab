package process_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/packs/process"
)

// visit is a process whose profile exists twice: as it was written, in the
// older spelling, and as it runs.
func visit(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "visit")
	if err := os.CopyFS(dir, os.DirFS("testdata/visit")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func rewrite(t *testing.T, path, old, new string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), old) {
		t.Fatalf("%s: no %s (%v)", path, old, err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), old, new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// FST-71: the profile that runs may add to the written one: roles, fields, an
// order, completion. It runs.
func TestCoreProfileRuns(t *testing.T) {
	dir := visit(t)
	p, report := process.Open(dir, process.Options{StateDir: t.TempDir()})
	if p == nil {
		t.Fatalf("%+v", report)
	}
	run := ""
	for _, c := range []struct {
		action string
		in     payload
		route  process.Route
		code   process.Code
	}{
		{"visit.ask", payload{"why": "a look"}, process.Continue, ""},
		{"visit.enter", payload{}, process.AskUser, process.CodeGate}, // the gate says more than the order
		{"visit.enter", payload{"door": "north"}, process.InstructAgent, process.CodeOrder},
		{"visit.plan", payload{}, process.InstructAgent, process.CodeArtifact}, // a field that only the core profile asks for
		{"visit.plan", payload{"day": "monday"}, process.Continue, ""},
		{"visit.enter", payload{"door": "north"}, process.MaterializeMock, ""},
		{"visit.leave", payload{}, process.Complete, ""},
	} {
		out, err := p.Control(t.Context(), process.Request{Action: c.action, Payload: c.in, Run: run})
		if err != nil || out.Route != c.route || out.Code != c.code {
			t.Fatalf("%s: got %+v %v, expected %s %s", c.action, out, err, c.route, c.code)
		}
		run = out.Run
	}
}

// FST-71: without a core profile, the report that a run must have completes it.
func TestCompletionReport(t *testing.T) {
	dir := visit(t)
	rewrite(t, filepath.Join(dir, "process.manifest.yaml"), "  core_profile_path: core-profile.json\n", "")
	p, report := process.Open(dir, process.Options{StateDir: t.TempDir()})
	if p == nil {
		t.Fatalf("%+v", report)
	}
	in, err := p.Control(t.Context(), process.Request{Action: "visit.enter", Payload: payload{"door": "north"}})
	if err != nil || in.Route != process.MaterializeMock || in.Completed {
		t.Fatalf("%+v %v", in, err)
	}
	out, err := p.Control(t.Context(), process.Request{Action: "visit.leave", Payload: payload{}, Run: in.Run})
	if err != nil || out.Route != process.Complete || !out.Completed {
		t.Errorf("%+v %v", out, err)
	}
}

// FST-71 FST-78: a core profile that says something else than the written one is
// refused, with the place.
func TestCoreProfileDisagrees(t *testing.T) {
	for _, c := range []struct{ name, old, new, at string }{
		{"id", `"id": "visit",`, `"id": "theft",`, "profile.id"},
		{"version", `"version": "0.1.0"`, `"version": "0.1.1"`, "profile.version"},
		{"a gate is missing", `"id": "door_known"`, `"id": "door_unknown"`, "gates"},
		{"a gate leads elsewhere", `"route": "AskUser"`, `"route": "InstructAgent"`, "gates.door_known.route"},
		{"a gate stands elsewhere", `"before_action": "visit.enter"`, `"before_action": "visit.plan"`, "gates.door_known.before_action"},
		{"a gate asks something else", `"payload_missing": "door"`, `"payload_missing": "floor"`, "gates.door_known.condition"},
		{"an action is missing", `"id": "visit.plan"`, `"id": "visit.plot"`, "actions"},
		{"another effect", `"materialization_mode": "mock"`, `"materialization_mode": "real"`, "actions.visit.enter.materialization_mode"},
		{"another scope", `"materialization_scope_fields": ["door"]`, `"materialization_scope_fields": ["day"]`,
			"actions.visit.enter.materialization_scope_fields"},
		{"another artifact", `"produces_artifacts": ["plan"]`, `"produces_artifacts": ["request"]`, "actions.visit.plan.produces_artifacts"},
		{"other roles", `"roles": ["agent", "task_user"]`, `"roles": ["agent"]`, "roles"},
		{"other people may ask", `"id": "visit.ask", "allowed_roles": ["agent"]`, `"id": "visit.ask", "allowed_roles": ["agent", "task_user"]`,
			"actions.visit.ask.allowed_roles"},
		{"a gate needs less", `"required_artifacts": ["badge"]`, `"required_artifacts": ["plan"]`, "gates.badge_there.required_artifacts"},
		{"others approve", `"role": "approver"`, `"role": "friends"`, "gates.kings.required_approval"},
		{"a type is missing", `{"id": "badge", "allowed_sources": ["controller"]}`, `{"id": "budge"}`, "artifact_types"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := visit(t)
			rewrite(t, filepath.Join(dir, "core-profile.json"), c.old, c.new)
			d, report := process.Read(dir)
			if d != nil || !has(report, process.StepShape, "profile.yaml:"+c.at) {
				t.Errorf("%+v", report.Diagnostics)
			}
		})
	}
}

// FST-71: what the written profile says besides is checked, too.
func TestWrittenProfile(t *testing.T) {
	for _, c := range []struct{ old, new, code, at string }{
		{"materialization_route: MaterializeMock", "materialization_route: MaterializeAllowed", process.StepRoutes,
			"actions[2].materialization_route"},
		{"required: [goodbye]", "required: [farewell]", process.StepArtifacts, "completion_report.required[0]"},
	} {
		dir := visit(t)
		rewrite(t, filepath.Join(dir, "profile.yaml"), c.old, c.new)
		if _, report := process.Read(dir); !has(report, c.code, "profile.yaml:"+c.at) {
			t.Errorf("%s: %+v", c.new, report.Diagnostics)
		}
	}
}

func has(r process.Report, code, path string) bool {
	for _, d := range r.Diagnostics {
		if d.Severity == "error" && d.Code == code && d.Path == path {
			return true
		}
	}
	return false
}

// FST-70, FST-71: the digest of the documents is that of the documents in the pack,
// which have the sections that the manifest requires.
func TestDocsHash(t *testing.T) {
	const docsHash = "sha256:bc553ffe57e544498b12a9865dbf3abc2004c474e349c52c378eaa402287424b" // of guide.md
	guide := "sha256:" + strings.Repeat("a", 64)
	for _, c := range []struct{ name, hash, docs, wrong string }{
		{"right", docsHash, "docs: {required: true, trusted_source: guide.md}", ""},
		{"right, with an adapter", docsHash, "docs: {required: true, trusted_source: {id: guide, local_path: guide.md}}", ""},
		{"of other documents", guide, "docs: {trusted_source: guide.md}", process.StepShape},
		{"no digest", "sha256:abc", "docs: {trusted_source: guide.md}", process.StepShape},
		{"required", "", "docs: {required: true, trusted_source: guide.md}", process.StepShape},
		{"documents elsewhere", guide, "docs: {trusted_source: {local_path: manual/}}", ""},
		{"documents of nobody", guide, "", ""},
		{"with its sections", docsHash, "docs: {trusted_source: guide.md, required_sections: [guide]}", ""},
		{"without one", docsHash, "docs: {trusted_source: guide.md, required_sections: [Guide, Limits]}", process.StepManifest},
		{"with sections elsewhere", guide, "docs: {trusted_source: manual/, required_sections: [Limits]}", ""},
		{"out of the pack", guide, "docs: {trusted_source: ../guide.md}", process.StepManifest},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := visit(t)
			rewrite(t, filepath.Join(dir, "process.manifest.yaml"), "  core_profile_path: core-profile.json\n", "")
			rewrite(t, filepath.Join(dir, "process.manifest.yaml"), "package:", c.docs+"\npackage:")
			if c.hash != "" {
				rewrite(t, filepath.Join(dir, "profile.yaml"), "  version: 0.1.0\n", "  version: 0.1.0\n  docs_hash: "+c.hash+"\n")
			}
			if err := os.WriteFile(filepath.Join(dir, "guide.md"), []byte("# Guide\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			d, report := process.Read(dir)
			if (d == nil) != (c.wrong != "") {
				t.Fatalf("%+v", report.Diagnostics)
			}
			for _, found := range report.Diagnostics {
				if found.Severity == "error" && found.Code != process.StepScenarios && found.Code != c.wrong {
					t.Errorf("%+v", found)
				}
			}
		})
	}
}
