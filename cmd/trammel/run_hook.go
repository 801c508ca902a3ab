package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/dialects/flowagents"
	"github.com/trammel-dev/trammel/internal/flow/script"
	"github.com/trammel-dev/trammel/pipeline"
)

func runHookCmd() *cobra.Command {
	var version bool
	var dir string
	cmd := &cobra.Command{Use: "run-hook HOOK_ID SCRIPT [PROFILES]", Args: cobra.MaximumNArgs(3)}
	cmd.Flags().BoolVar(&version, "contract-version", false, "print the version of the contract")
	cmd.Flags().StringVar(&dir, "hooks-dir", "scripts/hooks", "the directory of hooks")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if version {
			_, err := cmd.OutOrStdout().Write([]byte(`{"contract_version":"1.0","runner":"trammel run-hook"}` + "\n"))
			return err
		}
		for len(args) < 3 {
			args = append(args, "")
		}
		out := &pipeline.Responder{Stdout: os.Stdout, Stderr: os.Stderr, Exit: os.Exit}
		raw, err := io.ReadAll(io.LimitReader(os.Stdin, maxHookInput))
		if err != nil {
			return err
		}
		out.Send(runHook(cmd.Context(), raw, dir, args[0], args[1], args[2]))
		return nil
	}
	return cmd
}

// maxHookInput is the maximum input; beyond the contract's limit it is only
// echoed.
const maxHookInput = 64 << 20

func runHook(ctx context.Context, raw []byte, dir, id, name, profiles string) trammel.Reply {
	if id == "" || name == "" || !switchedOn(id, profiles) {
		return trammel.Reply{Stdout: raw}
	}
	file, err := script.Find(dir, name)
	policy := strings.TrimSuffix(path.Base(name), path.Ext(name))
	switch {
	case errors.Is(err, script.ErrOutside):
		return trammel.Reply{Stdout: raw, Stderr: []byte("[Hook] " + err.Error() + "\n")}
	case errors.Is(err, os.ErrNotExist) && flowagents.EventOf(policy) != "":
		return runPolicy(ctx, raw, policy)
	case err != nil:
		return trammel.Reply{Stdout: raw, Stderr: []byte("[Hook] Script not found: " + name + "\n")}
	}
	ctx, stop := context.WithTimeout(ctx, flowagents.Timeout(os.Getenv))
	defer stop()
	payload, cut := flowagents.Cut(raw, os.Getenv)
	return script.Run(ctx, id, file, payload, raw, hookEnv(cut))
}

// switchedOn reports whether the profile and the list of disabled hooks let a
// hook run. If the configuration cannot be read, nothing is switched off.
func switchedOn(id, profiles string) bool {
	_, _, compiled, err := cli.Loaded("")
	if err != nil {
		return true
	}
	f := compiled.Settings.Flow
	profile, disabled := f.Profile, f.Disabled
	if f.Environment {
		if profile == "" {
			profile = os.Getenv("SA_HOOK_PROFILE")
		}
		disabled += "," + os.Getenv("SA_DISABLED_HOOKS")
	}
	return flowagents.Runs(profile, profiles) && !flowagents.Disabled(disabled, id)
}

func runPolicy(ctx context.Context, raw []byte, policy string) trammel.Reply {
	p, err := cli.Program()
	if err != nil {
		return trammel.Reply{Stdout: raw, Stderr: []byte("[Hook] " + err.Error() + "\n")}
	}
	dir, _ := os.Getwd()
	p.Interrupts = pipeline.Interrupts
	return p.Answer(ctx, pipeline.Call{Host: flowagents.Host.System, Event: flowagents.EventOf(policy), Only: policy,
		Stdin: bytes.NewReader(raw),
		Dir:   dir, Getenv: os.Getenv})
}

// hookEnv is the environment of a script (FLOW-64).
func hookEnv(cut bool) []string {
	runtime := cmp.Or(os.Getenv("FLOW_AGENTS_HOOK_RUNTIME"), flowagents.Host.System)
	truncated := "0"
	if cut {
		truncated = "1"
	}
	return append(os.Environ(), "FLOW_AGENTS_HOOK_RUNTIME="+runtime, "FLOW_AGENTS_TELEMETRY_RUNTIME="+runtime,
		"SA_HOOK_INPUT_TRUNCATED="+truncated, "SA_HOOK_INPUT_MAX_BYTES="+strconv.Itoa(flowagents.MaxInput))
}
