package standard

import (
	"testing"

	"github.com/trammel-dev/trammel"
)

// The list names each system as it names itself, and each language speaks to
// hosts or to hook programs.
func TestList(t *testing.T) {
	for _, e := range list {
		if e.Host != nil && (e.Host.System != e.Name || e.Host.Facts().Title == "") {
			t.Errorf("%s is listed as %s", e.Host.System, e.Name)
		}
		if e.New == nil {
			continue
		}
		d := e.New()
		_, host := d.(trammel.HostDialect)
		_, hook := d.(trammel.HookDialect)
		if d.Name() != e.Name || !host && !hook {
			t.Errorf("%s is listed as %s; for hosts: %v, for hooks: %v", d.Name(), e.Name, host, hook)
		}
	}
}
