package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/edit"
	"github.com/trammel-dev/trammel/approvals/human"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/store"
)

func (o *office) approve() *cobra.Command {
	cmd := &cobra.Command{Use: "approve ID", Args: cobra.ExactArgs(1)}
	comment := cmd.Flags().String("comment", "", "a comment that is recorded with the decision")
	edits := cmd.Flags().Bool("edit", false, "change the arguments in $EDITOR first")
	scope := cmd.Flags().String("grant", "", "also let similar calls through: session or rule")
	long := cmd.Flags().Duration("for", approvals.DefaultGrant, "how long the grant lasts, 24h at most")
	cmd.RunE = o.inPerson(func(cmd *cobra.Command, args []string, p *person) error {
		return o.decide(cmd, p, args[0], &ballot{approve: true, comment: *comment, edit: *edits, grant: *scope, long: *long})
	})
	return cmd
}

func (o *office) deny() *cobra.Command {
	cmd := &cobra.Command{Use: "deny ID", SuggestFor: []string{"reject"}, Args: cobra.ExactArgs(1)}
	comment := cmd.Flags().String("comment", "", "why, for the agent and the record")
	cmd.RunE = o.inPerson(func(cmd *cobra.Command, args []string, p *person) error {
		return o.decide(cmd, p, args[0], &ballot{comment: *comment})
	})
	return cmd
}

func (o *office) cancel() *cobra.Command {
	cmd := &cobra.Command{Use: "cancel ID", Args: cobra.ExactArgs(1)}
	why := cmd.Flags().String("comment", "a person has cancelled it", "why, for the agent and the record")
	cmd.RunE = o.inPerson(func(cmd *cobra.Command, args []string, _ *person) error {
		a, err := o.find(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		if err := o.Cancel(cmd.Context(), a.ID, *why); err != nil {
			return err
		}
		return o.say(cmd, a.ID)
	})
	return cmd
}

// ballot is the decision that a person is about to make.
type ballot struct {
	approve bool
	comment string
	edit    bool
	grant   string
	long    time.Duration
}

// decide shows everything, asks for the secret, and records the vote, which is
// bound to what was shown.
func (o *office) decide(cmd *cobra.Command, p *person, id string, b *ballot) error {
	ctx := cmd.Context()
	a, err := o.find(ctx, id)
	if err != nil {
		return err
	}
	out := cli.Shown(cmd, *o.json)
	if err := printApproval(out, a); err != nil {
		return err
	}
	if err := o.CheckPending(a); err != nil {
		return err
	}
	d := approvals.Decision{Approval: a.ID, Nonce: a.Nonce, Digest: approvals.Shown(a), Approve: b.approve, Comment: b.comment,
		Channel: "terminal"}
	if b.edit {
		if d.Edit, err = o.edited(cmd, a); err != nil {
			return err
		}
	}
	var match approvals.CallPattern
	if b.grant != "" {
		if match, err = o.matcher(cmd, p, a, b); err != nil {
			return err
		}
	}
	who, err := p.unlock(ctx)
	if err != nil {
		return err
	}
	d.Identity, d.Signer = who.identity, who.key
	if b.grant != "" { // before the vote: otherwise somebody who may not grant would have voted already
		if _, err := o.MayGrant(a, who.identity); err != nil {
			return err
		}
	}
	if _, err = o.Decide(ctx, d); err != nil {
		return err
	}
	if b.grant != "" {
		granted, err := o.Grant(ctx, a, b.grant, match,
			approvals.Granter{Identity: who.identity, Signer: who.key, Reason: b.comment, For: b.long})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "granted %s until %s\n", granted.ID, clock(granted.Expires))
	}
	return o.say(cmd, a.ID)
}

// say prints the status of a request.
func (o *office) say(cmd *cobra.Command, id string) error {
	a, err := o.Store.Approval(cmd.Context(), id)
	if err != nil {
		return err
	}
	return cli.Done(cmd, *o.json, asShown(a), "%s: %s\n", a.ID, show.Status(a))
}

// matcher shows what a grant would let through, and asks the person to confirm it.
func (o *office) matcher(cmd *cobra.Command, t human.Terminal, a *store.Approval, b *ballot) (approvals.CallPattern, error) {
	match, err := o.program.CallPattern(a)
	if err != nil {
		return match, err
	}
	where := "in this project"
	if b.grant == approvals.ScopeSession {
		where = "in this session"
	}
	out := cli.Shown(cmd, *o.json)
	fmt.Fprintf(out, "\nThe grant holds %s for %s, for calls of %s that do\n", where, b.long, visible.Line(a.Tool))
	for _, line := range match.Describe() {
		fmt.Fprintf(out, "  %s\n", visible.Line(line))
	}
	answer, err := t.Ask("Grant this? [y/N] ", false)
	if err == nil && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y") {
		err = &human.Refused{Why: "the grant was not confirmed", Do: "Nothing was decided."}
	}
	return match, err
}

// edited lets the person change the arguments, and has the guards judge them:
// they apply to people, too.
func (o *office) edited(cmd *cobra.Command, a *store.Approval) (*store.Edit, error) {
	from := a.Args
	if a.Edit != nil {
		from = a.Edit.Args
	}
	draft, err := edit.Of(from)
	if err != nil {
		return nil, err
	}
	text, err := editor(cmd, draft.Masked())
	if err != nil {
		return nil, err
	}
	masked, err := strict.Object(text, strict.Limits{})
	if err != nil {
		return nil, fmt.Errorf("the edited text is not a JSON object: %w", err)
	}
	input, err := draft.Edited(masked)
	if err != nil {
		return nil, err
	}
	args, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	e, err := o.program.Edit(cmd.Context(), a, args)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(cli.Shown(cmd, *o.json), "\nInstead this would run:\n%s\n", show.Args(e.Args).Text)
	return e, nil
}

// editor opens the person's editor on a value, in a file that only they can read.
func editor(cmd *cobra.Command, value any) ([]byte, error) {
	dir, err := os.MkdirTemp("", "trammel-edit-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "arguments.json")
	var text bytes.Buffer
	if err := cli.JSON(&text, value); err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		return nil, err
	}
	program := strings.Fields(os.Getenv("VISUAL"))
	if len(program) == 0 {
		program = strings.Fields(os.Getenv("EDITOR"))
	}
	if len(program) == 0 {
		program = []string{"vi"}
	}
	run := exec.CommandContext(context.WithoutCancel(cmd.Context()), program[0], append(program[1:], file)...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := run.Run(); err != nil {
		return nil, fmt.Errorf("the editor %s: %w; nothing was decided", program[0], err)
	}
	return os.ReadFile(file)
}
