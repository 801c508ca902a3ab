package standard

import (
	"testing"

	"github.com/trammel-dev/trammel"
)

// The list names each language as it names itself, and each speaks to hosts or
// to hook programs.
func TestList(t *testing.T) {
	for _, e := range list {
		d := e.New()
		_, host := d.(trammel.HostDialect)
		_, hook := d.(trammel.HookDialect)
		if d.Name() != e.Name || !host && !hook {
			t.Errorf("%s is listed as %s; for hosts: %v, for hooks: %v", d.Name(), e.Name, host, hook)
		}
	}
}
