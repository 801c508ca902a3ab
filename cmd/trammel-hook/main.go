// Command trammel-hook is what hosts start for every event: it reads the event
// from stdin, runs the hooks that the compiled configuration selects, records
// what came of it and answers in the host's language. It links only what the
// budget in docs/performance.md allows; whatever needs more is handed to the
// trammel program beside it.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/trammel-dev/trammel"
	dialects "github.com/trammel-dev/trammel/dialects/standard"
	handlers "github.com/trammel-dev/trammel/handlers/standard"
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
	growStack()
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
	mouth := &pipeline.Mouth{Stdout: os.Stdout, Stderr: os.Stderr, Exit: os.Exit}
	dog := pipeline.Watch(trammel.Reply{Exit: 2, Stderr: []byte("trammel-hook did not come to an end; the event is blocked where that is " +
		"possible\n")}, mouth.Say)
	fault()
	dirs, err := layers.System()
	if err != nil {
		fmt.Fprintln(os.Stderr, "trammel-hook:", err)
		os.Exit(2)
	}
	set := dialects.Dialects()
	cache := plan.CacheIn(dirs.Cache)
	program := &pipeline.Program{
		Version:  version.Version,
		Dirs:     dirs,
		Dialects: set,
		Registry: handlers.Registry(set.Hook),
		State:    state.Files{Dir: dirs.State},
		Load: func(set *layers.Set) (*plan.Plan, error) {
			return cache.Load(layers.Key(set.Root), set.Digest)
		},
		HandOff:    handOff,
		Watchdog:   dog,
		Interrupts: pipeline.Interrupts,
	}
	program.Registry.Provide(dirs, program.State)
	call := pipeline.Call{Host: args[0], Stdin: os.Stdin, Getenv: os.Getenv}
	if len(args) == 2 {
		call.Event = args[1]
	}
	call.Dir, _ = os.Getwd()
	mouth.Say(program.Answer(context.Background(), call))
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
