package checkcmd

import (
	"encoding/json"
	"encoding/xml"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/junit"
)

// TEAM-05: a report does not depend on where the project is, and hostile text stays
// within its place in every format.
func TestFormats(t *testing.T) {
	report := func(root string) *Report {
		r := &Report{root: root, Passed: []string{"<fine>"}}
		r.add(Wiring, config.Finding{Code: "wiring-drift", File: filepath.Join(root, "a,b:c.json"), Message: "100%\n::error::x <&> \x1b"})
		r.add(Rules, config.Finding{Code: "shadowed", File: filepath.Join(root, "trammel.yaml"), Line: 3, Column: 5, Fix: "drop it",
			Message: "by " + filepath.Join(root, "hooks.d", "x.yaml") + ":1"})
		r.add(Trust, config.Finding{Code: "untrusted", File: filepath.Join(filepath.Dir(root), "above.yaml"), Message: "no"})
		r.sort()
		return r
	}
	for name, write := range formats {
		var b strings.Builder
		if err := write(&b, report("/home/a/p")); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		if strings.Contains(got, "/home/a/p") {
			t.Errorf("%s names the project's directory:\n%s", name, got)
		}
		switch name {
		case "json", "sarif":
			if !json.Valid([]byte(got)) {
				t.Errorf("%s: %s", name, got)
			}
		case "junit":
			var suite junit.Suite
			if err := xml.Unmarshal([]byte(got), &suite); err != nil || suite.Tests != 4 || suite.Failures != 3 || len(suite.Cases) != 4 {
				t.Errorf("%v: %s", err, got)
			}
		case "github":
			want := "::error file=/home/a/above.yaml,title=trammel untrusted::no\n" +
				"::warning file=trammel.yaml,line=3,col=5,title=trammel shadowed::by hooks.d/x.yaml:1 (drop it)\n" +
				"::error file=a%2Cb%3Ac.json,title=trammel wiring-drift::100%25%0A::error::x <&> \x1b\n"
			if filepath.Separator == '/' && got != want {
				t.Errorf("%s", got)
			}
		}
	}
}
