package integrations

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TEAM-17: the preset for Renovate finds commit, version and repository of a
// bundle in one go, and what it puts there is found again.
func TestRenovatePreset(t *testing.T) {
	data, err := os.ReadFile("renovate/trammel.json")
	if err != nil {
		t.Fatal(err)
	}
	var preset struct {
		CustomManagers []struct {
			CustomType, DatasourceTemplate, VersioningTemplate string
			ManagerFilePatterns, MatchStrings                  []string
		}
	}
	if err := json.Unmarshal(data, &preset); err != nil {
		t.Fatal(err)
	}
	m := preset.CustomManagers[0]
	if m.CustomType != "regex" || m.DatasourceTemplate != "git-tags" || m.VersioningTemplate != "semver" {
		t.Errorf("%+v", m)
	}
	for name, want := range map[string]bool{"trammel.yaml": true, "a/trammel.yml": true, "hooks.d/x.yaml": true, "trammel.lock": false,
		"xtrammel.yaml": false, "hooks.d/a/x.yaml": false} {
		got := false
		for _, pattern := range m.ManagerFilePatterns {
			got = got || regexp.MustCompile(strings.Trim(pattern, "/")).MatchString(name)
		}
		if got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	find := regexp.MustCompile(m.MatchStrings[0])
	found := func(text string) (out []string) {
		for _, match := range find.FindAllStringSubmatch(text, -1) {
			out = append(out, strings.Join([]string{match[find.SubexpIndex("packageName")], match[find.SubexpIndex("currentDigest")][:4],
				match[find.SubexpIndex("currentValue")]}, " "))
		}
		return out
	}
	one, two := strings.Repeat("1a2b", 10), strings.Repeat("3c4d", 10)
	sample := "version: 1\nextends:\n  - from: https://github.com/acme/rules.git\n    rev: " + one + " # v1.2.0\n    key: acme+1+A\n" +
		"  - from: \"git@github.com:acme/more.git\"\n    rev: '" + two + "' # v0.3.1-rc.1\n" +
		"  - from: ../local\n  - from: https://example.com/rules.tar.gz\n    version: v1.0.0\n" +
		"  - from: https://github.com/acme/unsaid.git\n    rev: " + one + "\n"
	want := "https://github.com/acme/rules.git 1a2b v1.2.0; git@github.com:acme/more.git 3c4d v0.3.1-rc.1"
	if got := strings.Join(found(sample), "; "); got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
	updated := strings.NewReplacer(one+" # v1.2.0", two+" # v1.3.0").Replace(sample)
	if got := found(updated); len(got) != 2 || got[0] != "https://github.com/acme/rules.git 3c4d v1.3.0" {
		t.Errorf("after an update: %v", got)
	}
}
