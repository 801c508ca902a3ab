package standard

import (
	"fmt"
	"slices"

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
	out := make([]trammel.Hook, 0, len(names))
	for _, name := range names {
		i := slices.IndexFunc(All[:], func(l trammel.Listed) bool { return l.Name == name })
		if i < 0 {
			panic(fmt.Sprintf("no policy is named %q", name))
		}
		p := All[i].Policy()
		h, err := p.New(trammel.Spec{})
		if err != nil {
			panic(fmt.Sprintf("policy %s: %v", name, err))
		}
		out = append(out, trammel.Hook{ID: name, On: p.On, Handler: h, Kind: "builtin", May: p.May, Keeps: !p.Rewrites})
	}
	return out
}
