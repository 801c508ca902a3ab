package standard

import (
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
)

// Hooks returns hooks of the named policies with their default options, for
// runtimes that embed the engine:
//
//	engine, err := trammel.New(standard.Hooks("shell-guard", "secrets"))
//
// It panics on a name that does not exist, because that is a mistake in the
// program and a guard must not be missing.
func Hooks(names ...string) []trammel.Hook {
	all := All()
	out := make([]trammel.Hook, 0, len(names))
next:
	for _, name := range names {
		for i := range all {
			p := &all[i]
			if p.Name != name {
				continue
			}
			h, err := p.New(nil)
			if err != nil {
				panic(fmt.Sprintf("policy %s: %v", name, err))
			}
			out = append(out, trammel.Hook{ID: name, On: p.On, Handler: h, Kind: "builtin", May: p.May, Keeps: !p.Rewrites})
			continue next
		}
		known := make([]string, len(all))
		for i := range all {
			known[i] = all[i].Name
		}
		panic(fmt.Sprintf("no policy is named %q, expected one of %s", name, strings.Join(known, ", ")))
	}
	return out
}
