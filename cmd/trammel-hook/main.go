// The process ends after a few milliseconds of work in one goroutine: it need
// not watch how many processors it may use, nor name its memory for debuggers.
//
//go:debug updatemaxprocs=0
//go:debug decoratemappings=0

// Command trammel-hook is what hosts start for every event: it reads the event
// from stdin, runs the hooks that the compiled configuration selects, records
// what came of it and answers in the host's language. It links only what the
// budget in docs/performance.md allows; whatever needs more is handed to the
// trammel program beside it.
package main

import (
	"fmt"
	"os"
	"strings"

	dialects "github.com/trammel-dev/trammel/dialects/standard"
	handlers "github.com/trammel-dev/trammel/handlers/standard"
	_ "github.com/trammel-dev/trammel/internal/early"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/version"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/plan"
)

const usage = `usage: trammel-hook [--user-config DIR] [--state DIR] HOST [EVENT] < payload

Hosts start this for every event; to try it by hand:
  echo '{"event":"pre_tool_use","tool":{"name":"Bash","input":{"command":"ls"}}}' | trammel-hook native
`

func main() {
	args, err := directories(os.Args[1:])
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "trammel-hook:", err)
		os.Exit(2)
	case len(args) == 1 && (args[0] == "--version" || args[0] == "version"):
		fmt.Println("trammel-hook", version.Version)
		return
	case len(args) < 1 || len(args) > 2 || args[0] == "-h" || args[0] == "--help":
		// A wiring that names no host must not let the event through.
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	call := pipeline.Call{Host: args[0]}
	if len(args) == 2 {
		call.Event = args[1]
	}
	pipeline.Serve("trammel-hook", call, program)
}

// program is the hot program: it only looks into the cache of plans, and hands
// on what needs more.
func program() (*pipeline.Program, error) {
	fault()
	dirs, err := layers.System()
	if err != nil {
		return nil, err
	}
	set := dialects.Dialects()
	cache := plan.CacheIn(dirs.Cache)
	p := &pipeline.Program{
		Version:  version.Version,
		Dirs:     dirs,
		Dialects: set,
		Registry: handlers.Registry(set.Hook),
		State:    state.Files{Dir: dirs.State},
		Load: func(set *layers.Set) (*plan.Plan, error) {
			return cache.Load(layers.Key(set.Root), set.Digest)
		},
		HandOff: handOff,
	}
	p.Registry.Provide(dirs, p.State)
	return p, nil
}

// directories takes the flags that name Trammel's directories off the command line.
func directories(args []string) ([]string, error) {
	var user, state string
	for len(args) > 0 {
		flag, dir, joined := strings.Cut(args[0], "=")
		target := &user
		switch flag {
		case layers.UserFlag:
		case layers.StateFlag:
			target = &state
		default:
			return args, layers.Use(user, state)
		}
		if args = args[1:]; !joined {
			if len(args) == 0 {
				return nil, fmt.Errorf("%s: expected a directory after it", flag)
			}
			dir, args = args[0], args[1:]
		}
		if *target = dir; dir == "" {
			return nil, fmt.Errorf("%s: found no directory, expected an absolute path", flag)
		}
	}
	return args, layers.Use(user, state)
}
