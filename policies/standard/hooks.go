package standard

import (
	"fmt"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Hooks returns hooks of the named policies with their default options, for
// runtimes that embed the engine:
//
//	engine, err := trammel.New(standard.Hooks("shell-guard", "secrets"))
//
// What they count and remember is in memory; pipeline/full keeps it in files.
//
// It panics on a name that does not exist, because that is a mistake in the
// program and a guard must not be missing.
func Hooks(names ...string) []trammel.Hook {
	dirs, _ := layers.System() // to protect them
	out := make([]trammel.Hook, 0, len(names))
	for _, name := range names {
		i := slices.IndexFunc(All[:], func(l trammel.Listed) bool { return l.Name == name })
		if i < 0 {
			panic(fmt.Sprintf("no policy is named %q", name))
		}
		p := All[i].Policy()
		h, err := p.New(trammel.Spec{Dirs: dirs})
		if err != nil {
			panic(fmt.Sprintf("policy %s: %v", name, err))
		}
		out = append(out, trammel.Hook{ID: name, On: p.On, Handler: h, Kind: "builtin", May: p.May, NoRewrite: !p.Rewrites})
	}
	return out
}
