package install

import (
	"fmt"
	"strings"
)

// plugin wires a host by a file of code that is ours as a whole.
func (s *site) plugin(path string, source func(hook string) []byte) error {
	t := target{path: path, named: true}
	if s.Hook != "" { // taking it out needs no source
		if source == nil {
			return fmt.Errorf("this build has no plugin for it")
		}
		t.text = source(s.Hook)
		if first, _, _ := strings.Cut(string(t.text), "\n"); !strings.Contains(first, Marker) {
			t.text = append([]byte("// "+Marker+": written by trammel init; changes are lost\n"), t.text...)
		}
	}
	s.targets = append(s.targets, t)
	return nil
}
