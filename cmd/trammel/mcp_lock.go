package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/handlers/builtin"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/plural"
	"github.com/trammel-dev/trammel/internal/procgroup"
	"github.com/trammel-dev/trammel/mcp/pin"
	"github.com/trammel-dev/trammel/policies/mcpguard"
)

// lockFile holds the pins of a project, for its build server.
const lockFile = "mcp-pins.json"

func lockFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("file", lockFile, "the file with the pins")
}

func readLock(path string, mustExist bool) (*pin.Lock, error) {
	data, err := os.ReadFile(path)
	switch missing := errors.Is(err, os.ErrNotExist); {
	case missing && mustExist:
		return nil, fmt.Errorf("there is no %s to compare with; write it with: trammel mcp pins lock", path)
	case err != nil && !missing:
		return nil, err
	}
	return pin.ReadLock(data)
}

func pinsLock() *cobra.Command {
	cmd := &cobra.Command{Use: "lock"}
	file, asJSON := lockFlag(cmd), cli.JSONFlag(cmd)
	return ofServers(cmd, func(s pin.Store, names []string) error {
		lock, err := readLock(*file, false)
		if err != nil {
			return err
		}
		for _, name := range names {
			if lock.Servers[name], err = s.Locked(cmd.Context(), name); err != nil {
				return err
			}
		}
		data, err := json.MarshalIndent(lock, "", "  ")
		if err != nil {
			return err
		}
		if err := files.Replace(*file, append(data, '\n')); err != nil {
			return err
		}
		return cli.Done(cmd, *asJSON, map[string]any{"file": *file, "servers": append([]string{}, names...)},
			"%s: %s\n", *file, plural.Of(len(names), "server"))
	})
}

// listTime is how long a server may take to list what it offers.
const listTime = time.Minute

func pinsCheck() *cobra.Command {
	cmd := &cobra.Command{Use: "check SERVER [-- COMMAND ARGUMENT...]", Args: cobra.MinimumNArgs(1)}
	file, asJSON := lockFlag(cmd), cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		name := args[0]
		lock, err := readLock(*file, true)
		if err != nil {
			return err
		}
		locked, there := lock.Servers[name]
		if !there {
			return fmt.Errorf("%s has no server %q", *file, name)
		}
		var now map[string]string
		if len(args) > 1 {
			var offered pin.Offered
			if offered, err = ask(cmd.Context(), args[1:]); err == nil {
				now = offered.Pins(name)
			}
		} else {
			var s pin.Store
			if s, err = pinStore(); err == nil {
				now, err = s.Locked(cmd.Context(), name)
			}
		}
		if err != nil {
			return err
		}
		differ := pin.Compare(locked, now)
		words := fmt.Sprintf("%s: all %d are unchanged", name, len(now))
		if len(differ) > 0 {
			words = pin.Visible(strings.Join(differ, "\n"))
		}
		done := map[string]any{"server": name, "pins": len(now), "differences": append([]string{}, differ...)}
		err = cli.Done(cmd, *asJSON, done, "%s\n", words)
		if err == nil && len(differ) > 0 {
			return cli.Exit(1)
		}
		return err
	}
	return cmd
}

// ask starts a server, asks it for its lists and stops it.
func ask(ctx context.Context, argv []string) (pin.Offered, error) {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return nil, err
	}
	p, err := procgroup.Start(procgroup.Command{Args: append([]string{path}, argv[1:]...), Env: os.Environ()}, 0)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	defer context.AfterFunc(ctx, p.Kill)()
	go func() { _, _ = p.Stderr.WriteTo(os.Stderr) }()
	return pin.List(p.Stdin, p.Stdout)
}

// guardPins are the pins that the policy mcp-guard has here.
func guardPins() (map[string]string, error) {
	_, _, compiled, err := cli.Loaded("")
	if err != nil {
		return nil, err
	}
	hooks, err := compiled.All()
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, h := range hooks {
		if h.Kind != "builtin" {
			continue
		}
		c, err := builtin.Read(h.Config)
		if err != nil || c.Use != mcpguard.Name || c.With == nil {
			continue
		}
		var o mcpguard.Options
		if err := json.Unmarshal(c.With, &o); err != nil {
			return nil, fmt.Errorf("%s: %w", h.ID, err)
		}
		for at, digest := range o.Pins {
			out[at] = digest
		}
	}
	return out, nil
}
