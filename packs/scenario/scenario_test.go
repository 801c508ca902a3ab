package scenario_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/examples"
	"github.com/trammel-dev/trammel/packs/process"
	"github.com/trammel-dev/trammel/packs/scenario"
)

// purchase is the template, after some changes to its files: file, old, new.
func purchase(t *testing.T, changes ...string) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is missing")
	}
	dir := filepath.Join(t.TempDir(), "purchase")
	if err := examples.CopyProcess("purchase", dir); err != nil {
		t.Fatal(err)
	}
	for i := 0; i+2 < len(changes); i += 3 {
		file := filepath.Join(dir, changes[i])
		data, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(data), changes[i+1]) {
			t.Fatalf("%s has no %q, %v", changes[i], changes[i+1], err)
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(data), changes[i+1], changes[i+2], 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// FST-76: the scenarios of all required classes pass, in both languages.
func TestTemplatePasses(t *testing.T) {
	typescript := []string{"hooks.yaml", "kind: python_stdio", "kind: js_ts_stdio", "hooks.yaml", "command: [python3, logic/python/main.py]",
		"command: [node, logic/ts/main.ts]"}
	for name, changes := range map[string][]string{"python3": nil, "node": typescript} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(name); err != nil {
				t.Skip(name + " is missing")
			}
			dir := purchase(t, changes...)
			if _, report := process.Read(dir); !report.Valid {
				t.Fatalf("%+v", report)
			}
			got, err := scenario.Play(t.Context(), dir, "")
			if err != nil || !got.Passed || len(got.Results) != 11 || len(got.Lacking) > 0 {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// FST-76: a scenario that does not hold fails and says where.
func TestScenarioFails(t *testing.T) {
	for name, c := range map[string]struct {
		play    string
		changes []string
		want    string
	}{
		"a gate that is gone": {"blocked_hard_rule", []string{"profile.yaml", "category: weapons", "category: wepons"}, `route: got ` +
			`"Continue", expected "Blocked"`},
		"a limit that is lower": {"happy_path", []string{"logic/python/main.py", "LIMIT = 1000", "LIMIT = 100"}, `step 4 (order): route: got ` +
			`"AwaitApproval"`},
		"a hook that decides": {"happy_path", []string{"logic/python/main.py", `"limit": LIMIT}`, `"route": "Continue"}`},
			`route: got "Blocked", expected "MaterializeAllowed"`},
		"another version": {"happy_path", []string{"scenarios/all.yaml", "profile_version: 0.1.0", "profile_version: 0.2.0"},
			"it was written for purchase 0.2.0; this is purchase 0.1.0"},
	} {
		got, err := scenario.Play(t.Context(), purchase(t, c.changes...), c.play)
		if err != nil || got.Passed || len(got.Results) != 1 || !strings.Contains(strings.Join(got.Results[0].Wrong, "\n"), c.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// FST-76: what cannot be meant is refused before anything is played, and what
// is not there is not passed.
func TestScenariosThatAreNone(t *testing.T) {
	for name, c := range map[string][2]string{
		"a misspelled expectation": {"{status: ok, route: MaterializeMock}", "{status: ok, rout: MaterializeMock}"},
		"no expectation":           {"        expectation: {status: ok, route: MaterializeMock}\n", ""},
		"one id twice":             {"id: ask_user_case", "id: happy_path"},
	} {
		if got, err := scenario.Play(t.Context(), purchase(t, "scenarios/all.yaml", c[0], c[1]), ""); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	dir := purchase(t, "scenarios/all.yaml", "id: hook_failure", "id: other")
	if got, err := scenario.Play(t.Context(), dir, ""); err != nil || got.Passed || strings.Join(got.Lacking, " ") != "hook_failure" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := scenario.Play(t.Context(), dir, "nobody"); err == nil {
		t.Error("there is no such scenario")
	}
}
