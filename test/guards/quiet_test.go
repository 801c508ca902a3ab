package guards

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/trammel-dev/trammel"
)

// TestQuiet judges everyday calls: few of them are denied, and few asked about.
// With TRAMMEL_CI_COMMANDS it judges real commands of CI files instead, which are no
// part of this project: one JSON object on each line of the file that it names, with
// a cmd and, if the step sets variables, with these as env, and if it was cloned, with its
// origin. What is measured is in docs/policies/shell-guard.md.
func TestQuiet(t *testing.T) {
	var all []labelled
	most := map[string][2]float64{"careful": {1, 2}, "standard": {1, 3}, "strict": {1, 13}}
	if file := os.Getenv("TRAMMEL_CI_COMMANDS"); file != "" {
		all = read(t, file)
		most = map[string][2]float64{"careful": {1, 2}, "standard": {1, 3}, "strict": {1, 12}}
	} else {
		for _, line := range slices.Concat(classLines(t, "quiet"), setLines(t, "daily")) {
			all = append(all, call(t, line))
		}
	}
	for preset, most := range most {
		t.Run(preset, func(t *testing.T) {
			m := newMachine(t, preset)
			if os.Getenv("TRAMMEL_CI_COMMANDS") != "" {
				m.asRunner(t)
			}
			counts := map[trammel.Decision]int{}
			for i, c := range all {
				restore := setAll(t, c.Env)
				if c.Origin != "" {
					m.write(t, filepath.Join(m.project, ".git/config"), "[remote \"origin\"]\n\turl = "+c.Origin+"\n")
				}
				v := m.verdictOf(t, fmt.Sprint("ci", i), c, false)
				restore()
				if counts[v.Decision]++; v.Decision > trammel.Allow {
					t.Logf("%s: %.200q: %s", v.Decision, c.String(), v.Reason)
				}
			}
			share := func(d trammel.Decision) float64 { return 100 * float64(counts[d]) / float64(len(all)) }
			t.Logf("%s of %d: %.1f %% denied, %.1f %% asked about", preset, len(all), share(trammel.Deny), share(trammel.Ask))
			if share(trammel.Deny) > most[0] || share(trammel.Ask) > most[1] {
				t.Errorf("%s denies %.1f %% and asks about %.1f %%", preset, share(trammel.Deny), share(trammel.Ask))
			}
		})
	}
}

// setAll sets variables until restore is called.
func setAll(t *testing.T, env map[string]string) (restore func()) {
	t.Helper()
	was := map[string]*string{}
	for name, value := range env {
		if old, ok := os.LookupEnv(name); ok {
			was[name] = &old
		}
		if err := os.Setenv(name, value); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		for name := range env {
			if old := was[name]; old != nil {
				_ = os.Setenv(name, *old)
			} else {
				_ = os.Unsetenv(name)
			}
		}
	}
}

// asRunner sets the variables that a runner of CI sets for each step.
func (m *machine) asRunner(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{
		"CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": m.project, "GITHUB_REPOSITORY": "acme/app", "GITHUB_REPOSITORY_OWNER": "acme",
		"GITHUB_SHA": "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "GITHUB_REF": "refs/heads/topic", "GITHUB_REF_NAME": "topic",
		"GITHUB_REF_TYPE": "branch", "GITHUB_HEAD_REF": "topic", "GITHUB_BASE_REF": "main", "GITHUB_EVENT_NAME": "pull_request",
		"GITHUB_EVENT_PATH": "/tmp/runner/event.json", "GITHUB_RUN_ID": "1234567", "GITHUB_RUN_NUMBER": "42", "GITHUB_RUN_ATTEMPT": "1",
		"GITHUB_JOB": "test", "GITHUB_WORKFLOW": "ci", "GITHUB_ACTOR": "ann", "GITHUB_SERVER_URL": "https://github.com",
		"GITHUB_API_URL": "https://api.github.com", "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "RUNNER_TOOL_CACHE": "/opt/hostedtoolcache",
	} {
		t.Setenv(name, value)
	}
}
