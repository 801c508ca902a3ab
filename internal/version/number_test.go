package version

import "testing"

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
