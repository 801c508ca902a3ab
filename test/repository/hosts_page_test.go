package repository

import (
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/test/hostspage"
)

// docs/hosts.md says what each host can do, from the dialects' tables and the
// last end-to-end run.
func TestHostsPage(t *testing.T) {
	const page, begin, report = "docs/hosts.md", "<!-- generated -->\n", "docs/e2e.jsonl"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(data), begin)
	if !ok {
		t.Fatalf("%s has no place for what is generated", page)
	}
	f, err := os.Open(report)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	outcomes, err := hostspage.ReadOutcomes(f)
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, o := range outcomes {
		versions[o.Host] = o.Version
	}
	set := standard.Dialects()
	var list []hostspage.Declaration
	for _, name := range set.Hosts() {
		if name == "native" {
			continue
		}
		d, _ := set.Host(name)
		list = append(list, hostspage.Declare(d, hostspage.Extra{Version: versions[name], Gaps: standard.Host(name).KnownGaps()}))
	}
	want := before + begin + "\n" + hostspage.Markdown(list, outcomes)
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(data) {
		t.Errorf("%s is out of date: go test ./test/repository -run TestHostsPage -update", page)
	}
}
