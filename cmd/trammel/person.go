package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/human"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// Exit codes of commands that only a person may run.
const (
	exitNoPerson = 3 // nothing proves that a person runs it
	exitRefused  = 4 // a person runs it, but may not do this
)

// agentOf is the name of the agent that a process is.
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

// person is somebody at a terminal.
type person struct {
	human.Terminal
	*human.Gate
	program *full.Program
	root    string // of the project
}

// gate checks that a person is at this machine.
func gate(state trammel.State, record func(ctx context.Context, what string) error) *human.Gate {
	return &human.Gate{Agent: agentOf, Mark: standard.Mark, State: state, Record: record}
}

// inPerson calls do if a person runs this command. Everything is recorded in
// the evidence of the project with this root.
func inPerson(program *full.Program, root string, do func(*person) error) (err error) {
	p := &person{program: program, root: root}
	p.Gate = gate(program.State, func(ctx context.Context, what string) error { return p.record(ctx, "authority.refused", what) })
	if p.Terminal, err = p.Present(); err != nil {
		return err
	}
	defer p.Close()
	return do(p)
}

// record adds a line about the authority to the evidence.
func (p *person) record(ctx context.Context, event, what string) error {
	return p.program.Put(ctx, p.root, p.program.AuthorityRecord(p.root, event, what))
}

// unlock asks for the secret of this machine.
func (p *person) unlock(ctx context.Context) (*unlocked, error) {
	ring, err := approvals.LoadKeyring(p.program.Dirs.State)
	if err != nil {
		return nil, err
	}
	key, err := p.Unlock(ctx, p, ring.Authority)
	if err != nil {
		return nil, err
	}
	return &unlocked{"authority:" + key.KeyID(), key}, nil
}

// judgedExit maps an error to its exit code.
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
	fmt.Fprintln(cmd.ErrOrStderr(), "trammel:", cli.Message(err))
	return cli.Exit(code)
}
