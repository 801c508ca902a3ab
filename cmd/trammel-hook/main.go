// The process ends after a few milliseconds of work in one goroutine: it does
// not need to track its processor limit, or label its memory for debuggers.
//
//go:debug updatemaxprocs=0
//go:debug decoratemappings=0

// Command trammel-hook is what hosts start for every event: it reads the event
// from stdin, runs the hooks that the compiled configuration selects, records
// the result and answers in the host's language. It links only what the budget
// in docs/performance.md allows; everything else is handed to the trammel
// program in the same directory.
package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/standard"
	handlers "github.com/trammel-dev/trammel/handlers/standard"
	_ "github.com/trammel-dev/trammel/internal/early"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/version"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/plan"
)

const usage = `usage: trammel-hook [--user-config DIR] [--state DIR] [--wait TIME] HOST [EVENT] < payload

Hosts start this for every event; to try it by hand:
  echo '{"event":"pre_tool_use","tool":{"name":"Bash","input":{"command":"ls"}}}' | trammel-hook native
`

func main() {
	args, wait, err := flags(os.Args[1:])
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "trammel-hook:", err)
		os.Exit(2)
	case len(args) == 1 && (args[0] == "--version" || args[0] == "version"):
		fmt.Println("trammel-hook", version.Number())
		return
	case len(args) < 1 || len(args) > 2 || args[0] == "-h" || args[0] == "--help":
		// A wiring that names no host must not let the event through.
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	call := pipeline.Call{Host: args[0], Wait: wait}
	if len(args) == 2 {
		call.Event = args[1]
	}
	pipeline.Serve("trammel-hook", call, program)
}

// program is the fast program: it only reads the cache of plans, and hands over
// everything else.
func program() (*pipeline.Program, error) {
	fault()
	dirs, err := layers.System()
	if err != nil {
		return nil, err
	}
	set := standard.Dialects()
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

// flags removes the flags of the wiring from the command line: Trammel's
// directories, and how long the host waits.
func flags(args []string) (rest []string, wait time.Duration, err error) {
	var user, state, waits string
	for len(args) > 0 {
		flag, value, joined := strings.Cut(args[0], "=")
		target := &user
		switch flag {
		case layers.UserFlag:
		case layers.StateFlag:
			target = &state
		case dialects.WaitFlag:
			target = &waits
		default:
			return args, wait, layers.Use(user, state)
		}
		if args = args[1:]; !joined && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		if *target = value; value == "" {
			return nil, 0, fmt.Errorf("%s: its value is missing", flag)
		}
		if target == &waits {
			if wait, err = time.ParseDuration(waits); err != nil || wait <= 0 {
				return nil, 0, fmt.Errorf("%s is %q, expected how long the host waits, such as 30s", flag, waits)
			}
		}
	}
	return args, wait, layers.Use(user, state)
}
