package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/yamldoc"
	"github.com/trammel-dev/trammel/policytest"
)

// newRule is a rule from a single command line.
type newRule struct {
	ask, project, dry bool
	reason            string
	json              *bool
}

func denyCmd() *cobra.Command {
	var r newRule
	cmd := &cobra.Command{Use: "deny COMMAND", Args: cobra.ExactArgs(1)}
	cmd.Flags().BoolVar(&r.ask, "ask", false, "ask a person instead")
	cmd.Flags().StringVar(&r.reason, "reason", "", "the reason that the agent gets (default: \"This is off\" and the command)")
	cmd.Flags().BoolVar(&r.project, "project", false, "write the rule for this project, not for you")
	cmd.Flags().BoolVar(&r.dry, "dry-run", false, "only show what would be written")
	r.json = cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return r.write(cmd, args[0]) }
	return cmd
}

func (r *newRule) write(cmd *cobra.Command, line string) error {
	id, text, err := r.yaml(line)
	if err != nil {
		return err
	}
	if err := r.holds(cmd.Context(), line, text); err != nil {
		return err
	}
	slips := []string{}
	for _, found := range slipsOf(importers.Split(line)) {
		slips = append(slips, found.Text)
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", found.Text)
	}
	dir, err := r.dir()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, layers.DropIn, id+".yaml")
	done := map[string]any{"id": id, "file": path, "rule": text, "written": !r.dry, "warnings": slips}
	if r.dry {
		return cli.Done(cmd, *r.json, done, "%s would be:\n%s", path, text)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := files.Create(path, []byte(text), 0o600); errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s already exists; change or remove it", path)
	} else if err != nil {
		return err
	}
	return cli.Done(cmd, *r.json, done, "%swrote %s; to undo it, remove that file\n", text, path)
}

// dir is where the rule goes: the user's directory, or the project's.
func (r *newRule) dir() (string, error) {
	if !r.project {
		dirs, err := layers.System()
		return dirs.User, err
	}
	_, set, _, err := cli.Loaded("")
	if err != nil {
		return "", err
	}
	return set.Root, nil
}

// yaml is the rule: the program, the words after it, and its options in any
// order.
func (r *newRule) yaml(line string) (id, text string, err error) {
	words := importers.Split(line)
	if file, err := syntax.NewParser().Parse(strings.NewReader(line), ""); err != nil {
		return "", "", cli.Usagef("%q is not a complete command: %w", line, err)
	} else if len(file.Stmts) > 1 || len(file.Stmts) == 1 && !single(file.Stmts[0]) {
		return "", "", cli.Usagef("%q is more than one command; deny one of them, such as \"git push --force\"", line)
	} else if len(file.Stmts) == 1 && len(file.Stmts[0].Cmd.(*syntax.CallExpr).Assigns) > 0 {
		return "", "", cli.Usagef("%q sets a variable, which a rule does not look at; leave it out, as in \"git push --force\"", line)
	}
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		return "", "", cli.Usagef("found %q, expected a command such as \"git push --force\"", line)
	}
	program := filepath.Base(words[0])
	conditions := importers.Conditions(program, words[1:])
	verb, why := "deny", "This is off: "
	if r.ask {
		verb, why = "ask", "A person decides about this: "
	}
	reason := importers.Quote(cmp.Or(strings.TrimSpace(r.reason), why+line))
	id = verb + "-" + importers.Slug(line)
	rule := verb + ": " + reason
	if len(conditions) > 0 {
		when := strings.ReplaceAll(strings.Join(conditions, " && "), "'", "''")
		rule = fmt.Sprintf("%s:\n      when: '%s'\n      reason: %s", verb, when, reason)
	}
	return id, fmt.Sprintf("%sversion: 1\nhooks:\n  - id: %s\n    on: pre_tool_use\n    match: {program: %s}\n    %s\n",
		yamldoc.SchemaLine, id, importers.Quote(program), rule), nil
}

// slipsOf finds a program or a sub-command that is probably misspelled.
func slipsOf(words []string) []condition.Mistake {
	program := filepath.Base(words[0])
	found := condition.MisspelledProgram(program)
	if len(words) > 1 {
		found = append(found, condition.MisspelledCommand(program, words[1])...)
	}
	return found
}

// single reports whether a statement is one command, without pipes and redirections.
func single(s *syntax.Stmt) bool {
	_, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(s.Redirs) == 0 && !s.Background && !s.Negated
}

// holds judges the command by the rule alone: a rule that does not stop the
// command it was made from is not written.
func (r *newRule) holds(ctx context.Context, line, text string) error {
	runner, project, done, err := cli.Alone(text)
	if err != nil {
		return err
	}
	defer done()
	judged, err := runner.Judge(ctx, project, &policytest.Case{On: "PreToolUse", Tool: "Bash", Input: map[string]any{"command": line}})
	if err != nil {
		return err
	}
	if judged.Verdict.Decision < trammel.Ask {
		return fmt.Errorf("a rule made from %q does not stop it, so it was not written; see trammel explain %q, and write one by hand",
			line, line)
	}
	return nil
}
