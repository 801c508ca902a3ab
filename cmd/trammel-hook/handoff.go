package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/procgroup"
	"github.com/trammel-dev/trammel/pipeline"
)

// handOff passes the call to the full program in the same directory: a changed
// PATH must not decide which program judges.
func handOff(ctx context.Context, call pipeline.Call, raw []byte) (trammel.Reply, error) {
	self, err := os.Executable()
	if err != nil {
		return trammel.Reply{}, fmt.Errorf("finding the trammel program: %w", err)
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	name := "trammel"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	argv := append([]string{filepath.Join(filepath.Dir(self), name)}, layers.Flags()...)
	argv = append(argv, "hook")
	if call.Wait > 0 {
		argv = append(argv, dialects.WaitFlag+"="+call.Wait.String())
	}
	if call.Again {
		argv = append(argv, pipeline.AgainFlag)
	}
	argv = append(argv, call.Host)
	if call.Event != "" {
		argv = append(argv, call.Event)
	}
	out, err := procgroup.Run(ctx, procgroup.Command{Args: argv, Dir: call.Dir, Env: os.Environ(), Stdin: raw, MaxOutput: 32 << 20})
	if err != nil {
		return trammel.Reply{}, fmt.Errorf("handing the event to %s: %w", argv[0], err)
	}
	return trammel.Reply{Stdout: out.Stdout, Stderr: out.Stderr, Exit: out.Exit}, nil
}
