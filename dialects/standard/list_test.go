package standard

import (
	"path"
	"slices"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

// The list names each system as it names itself, and each language speaks to
// hosts or to hook programs.
func TestList(t *testing.T) {
	for _, e := range list {
		if e.Host != nil && (e.Host.System != e.Name() || e.Host.Facts().Title == "") {
			t.Errorf("%s is listed as %s", e.Host.System, e.Name())
		}
		if e.Dialect == nil {
			continue
		}
		_, host := e.Dialect.(trammel.HostDialect)
		_, hook := e.Dialect.(trammel.HookDialect)
		if !host && !hook {
			t.Errorf("%s speaks neither to hosts nor to hook programs", e.Name())
		}
	}
}

// A program is recognized before the facts of its host are read as well as after.
func TestProgramsAreFoundWithoutTheFacts(t *testing.T) {
	found := 0
	for _, h := range Hosts() {
		names := slices.Clone(h.Facts().Programs)
		for _, p := range h.Facts().Packages {
			names = append(names, p, path.Base(p))
		}
		for _, name := range append([]string{"", "programs", "no-such-program"}, names...) {
			unread := dialects.Host{System: h.System, About: h.About}
			want := slices.Contains(names, name)
			if unread.Starts(name) != want || h.Starts(name) != want {
				t.Errorf("%s is started by %q: %v, expected %v", h.System, name, unread.Starts(name), want)
			}
			if want {
				found++
			}
		}
	}
	if found < 25 || Program("claude") == nil || Program("ls") != nil {
		t.Errorf("%d programs are found", found)
	}
}
