package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/layers"
)

// TEAM-04: bounds are compared as versions; what leads up to a release counts as
// the release.
func TestRequires(t *testing.T) {
	for _, c := range []struct{ needs, have, says string }{
		{">=0.4, <1", "0.4.0", ""}, {">=0.4, <1", "v0.99.7", ""}, {">=0.4,<1", "0.4.0-dev", ""}, {"=1.2.3", "1.2.3+meta", ""},
		{">=0.4, <1", "0.3.9", "needs Trammel >=0.4, <1, but you have 0.3.9; run: go install"},
		{">=0.4, <1", "1.0.0", "install a version that fits"}, {"<1", "1.0.0-dev", "you have 1.0.0;"}, {">0.9", "0.10.0", ""},
		{"<=0.9", "0.10.0", "you have 0.10.0"}, {">0.10", "0.10.0", "you have"}, {"= v2", "2.0.1", "you have"}, {"", "1.0.0", ""},
		{">=0.1", "0.1.0-dev.g4cb09c76e5a1", ""}, {">=0.1", "4cb09c76-dirty", "this one (4cb09c76-dirty) was built without a version"},
		{"", "4cb09c76-dirty", ""},
	} {
		if got := Requires(c.needs).unmet(c.have); c.says == "" && got != "" || !strings.Contains(got, c.says) {
			t.Errorf("%s with %s: %q, expected %q", c.needs, c.have, got, c.says)
		}
	}
	for _, bad := range []string{"", "1", "~1", ">=", ">=1.2.3.4", ">=1-beta", ">=1,", "=>1", ">=x", "latest"} {
		if r := Requires(""); r.parse(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TEAM-04: the bounds are read before everything else, in every layer, trusted or
// not. A file for another version gets no other errors.
func TestRequiresComesFirst(t *testing.T) {
	for name, text := range map[string]string{
		"unknown key":   "version: 1\nrequires: \">=99\"\nsomething_new: {a: 1}\n",
		"flow style":    "{version: 9, requires: '>=99', something_new: 1}\n",
		"invalid YAML":  "version: 1\nrequires: '>=99' # why\nhooks: [\n  \t{\n",
		"after hooks":   "version: 2\nhooks:\n  - {id: x, news: 1}\nrequires: \">= 99 , < 100\"\n",
		"other mistake": "requires: \">=99\"\nhooks: 7\n",
	} {
		for _, layer := range []layers.Layer{layers.Machine, layers.User, layers.Project} {
			for _, trust := range []layers.TrustState{layers.Unknown, layers.Trusted} {
				set := &layers.Set{Root: "/p", Files: []layers.File{
					{Layer: layers.User, Path: "/u/trammel.yaml", Dir: "/u", Data: []byte("version: 1\nhooks: 1\n"), Trust: layers.Trusted},
					{Layer: layer, Path: "/p/trammel.yaml", Dir: "/p", Data: []byte(text), Trust: trust}}}
				_, err := Compile(set, testRegistry)
				wrong := (*Errors)(nil)
				if !errors.As(err, &wrong) || len(wrong.List) != 1 || wrong.List[0].Code != OutdatedFinding ||
					!strings.Contains(err.Error(), "this configuration needs Trammel >=") {
					t.Errorf("%s, %s, %s: %v", name, layer, trust, err)
				}
			}
		}
	}
	// Bounds that hold, and a text that only looks like bounds, change nothing.
	for text, says := range map[string]string{
		"version: 1\nrequires: \">=0.0.1\"\n": "", "version: 1\nrequires: soon\n": "bounds of the version",
		"version: 1\nrequires: 3\n": "requires",
		"version: 1\nhooks: [{id: requires, on: Stop, context: 'requires: >=99'}]\n": "",
	} {
		set := &layers.Set{Root: "/p", Files: []layers.File{{Layer: layers.User, Path: "/u/trammel.yaml", Dir: "/u", Data: []byte(text),
			Trust: layers.Trusted}}}
		if _, err := Compile(set, testRegistry); says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%q: %v, expected %q", text, err, says)
		}
	}
}
