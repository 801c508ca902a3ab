package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/human"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// Exit codes of what only a person may do.
const (
	exitNoPerson = 3 // it is not proved that a person acts
	exitRefused  = 4 // a person acts, and it does not count
)

// gate is where a person proves to be one. What happens at it goes into the
// evidence of the project with this root.
func gate(p *full.Program, root string) *human.Gate {
	return &human.Gate{Agent: agentOf, Mark: standard.Mark, State: p.State,
		Record: func(ctx context.Context, what string) error { return onRecord(ctx, p, root, "authority.refused", what) }}
}

// onRecord puts a line about the authority into the evidence.
func onRecord(ctx context.Context, p *full.Program, root, event, what string) error {
	return p.Put(ctx, root, &evidence.Record{ID: evidence.NewID(time.Now()), Time: time.Now(), Host: "trammel", Event: event, Project: root,
		Payload: map[string]any{"what": what}, Engine: p.Version})
}

// agentOf names the agent that a process is.
func agentOf(p *human.Process) string {
	names := p.Programs()
	for _, h := range standard.Hosts() {
		if slices.ContainsFunc(h.Facts().Programs, func(name string) bool { return slices.Contains(names, name) }) ||
			slices.ContainsFunc(h.Facts().Packages, p.Runs) {
			return h.Facts().Title
		}
	}
	return ""
}

// unlocked is a person who has typed the authority secret.
type unlocked struct {
	identity string
	key      approvals.PrivateKey
}

// unlock has the person type the secret of this machine.
func unlock(ctx context.Context, g *human.Gate, t human.Terminal, state string) (*unlocked, error) {
	ring, err := approvals.LoadKeyring(state)
	if err != nil {
		return nil, err
	}
	key, err := g.Unlock(ctx, t, ring.Authority)
	if err != nil {
		return nil, err
	}
	return &unlocked{"authority:" + key.KeyID(), key}, nil
}

// judgedExit gives what went wrong its exit code.
func judgedExit(cmd *cobra.Command, err error) error {
	var noPerson *human.Refused
	var refused *approvals.Refusal
	code := 0
	switch {
	case errors.As(err, &noPerson):
		code = exitNoPerson
	case errors.As(err, &refused):
		code = exitRefused
	default:
		return err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "trammel:", err)
	return cli.Exit(code)
}
