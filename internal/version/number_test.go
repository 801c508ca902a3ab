package version

import (
	"os/exec"
	"regexp"
	"testing"

	"golang.org/x/mod/semver"
)

// TEAM-44: what go install made from a release says which.
func TestNumber(t *testing.T) {
	for _, c := range []struct{ linked, module, want string }{
		{"0.1.0-dev", "v1.2.3", "1.2.3"},
		{"0.1.0-dev", "(devel)", "0.1.0-dev"},
		{"0.1.0-dev", "", "0.1.0-dev"},
		{"0.1.0-dev", "v0.0.0-20261117064000-9ac0f5dd8157", "0.1.0-dev"},
		{"0.1.0-dev", "v1.2.3+dirty", "0.1.0-dev"},
		{"1.0.0", "v1.2.3", "1.0.0"},
		{"v1.0.0", "v1.2.3", "v1.0.0"},
	} {
		if got := number(c.linked, c.module); got != c.want {
			t.Errorf("number(%q, %q) = %q, expected %q", c.linked, c.module, got, c.want)
		}
	}
}

// What make builds in a checkout without tags has a version that the bounds of
// requires can be compared with.
func TestMake(t *testing.T) {
	out, err := exec.Command("make", "-C", "../..", "-n", "build").Output()
	if err != nil {
		t.Skip("there is no make: ", err)
	}
	linked := regexp.MustCompile(`version[.]Version=([^']+)'`).FindSubmatch(out)
	if linked == nil || !semver.IsValid("v"+string(linked[1])) {
		t.Errorf("make build links no version that can be compared: %s", out)
	}
}
