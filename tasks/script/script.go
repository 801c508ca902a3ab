// Package script runs operations that are programs of the repository: they get a list of
// arguments, without a shell, and the input as JSON on stdin and in a file; they return
// JSON in a file or on stdout.
package script

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/procgroup"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/tasks/fill"
	"github.com/trammel-dev/trammel/tasks/operation"
	"github.com/trammel-dev/trammel/tasks/registry"
)

type prepared struct {
	call    operation.Call
	program *registry.Program
	command procgroup.Command
}

// Prepare fills in the program's arguments.
func Prepare(c operation.Call) (operation.Prepared, error) {
	p := c.Impl.Script
	command, err := Command(c, p)
	if err != nil {
		return nil, err
	}
	return &prepared{c, p, command}, nil
}

// Command is the command that starts a program of the registry.
func Command(c operation.Call, p *registry.Program) (procgroup.Command, error) {
	file, err := operation.Within(c.Root, p.Path)
	if err != nil {
		return procgroup.Command{}, trammel.Fail(trammel.CodeUnavailable, "the program %s cannot be used: %w", p.Path, err)
	}
	args, err := fill.Args(p.ArgsTemplate, map[string]any{"input": c.Input})
	if err != nil {
		return procgroup.Command{}, trammel.Fail(trammel.CodeInput, "%w", err)
	}
	stdin, err := canonical.Append(nil, c.Input)
	if err != nil {
		return procgroup.Command{}, trammel.Fail(trammel.CodeInput, "the input has no JSON form: %w", err)
	}
	env := append(c.Environ(p.EnvProfile), "TRAMMEL_TASK_KEY="+c.TaskKey, "TRAMMEL_ENVIRONMENT="+c.Environment, "TRAMMEL_OPERATION="+c.ID,
		"TRAMMEL_INPUT="+filepath.Join(c.Dir, "input.json"), "TRAMMEL_OUTPUT="+filepath.Join(c.Dir, "output.json"))
	if c.Session != "" { // what it starts runs on behalf of an agent, too
		env = append(env, "TRAMMEL_AGENT_SESSION="+c.Session)
	}
	return procgroup.Command{Args: append([]string{file}, args...), Env: env, Dir: c.Root, Stdin: stdin, MaxOutput: operation.MaxOutput,
		Tied: true}, nil
}

// Action is a shell action: the command line as one would type it in a shell. A command
// among the arguments counts too, because the program may run it.
func (p *prepared) Action() trammel.Action {
	return Action(p.call, p.command.Args)
}

// Action is what running a program with these arguments does.
func Action(c operation.Call, args []string) trammel.Action {
	a := operation.Loose(c.ID, c.Input)
	line := trammel.QuoteWords(args)
	if a.Command != "" {
		line += "\n" + a.Command
	}
	if a.Kind != trammel.OtherAction && a.Kind != trammel.ShellAction {
		a.Also = append(a.Also, a.Kind)
	}
	if len(a.Paths) > 0 {
		a.Also = append(a.Also, touches(c.ID)...)
	}
	a.Kind, a.Command, a.Dir = trammel.ShellAction, line, c.Root
	return a
}

// touches is what a program does to the files in its arguments, judging by its name. An
// unknown program may change them.
func touches(id string) []trammel.ActionKind {
	for word := range strings.FieldsFuncSeq(strings.ToLower(id), func(r rune) bool { return r < 'a' || r > 'z' }) {
		switch word {
		case "delete", "remove", "clean", "purge", "drop", "prune":
			return []trammel.ActionKind{trammel.DeleteAction, trammel.EditAction}
		case "write", "edit", "update", "create", "set", "move", "fix", "format":
			return []trammel.ActionKind{trammel.EditAction}
		}
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(id), func(r rune) bool { return r < 'a' || r > 'z' }) {
		switch word {
		case "read", "get", "show", "list", "find", "search", "check", "lint", "describe", "validate":
			return []trammel.ActionKind{trammel.ReadAction}
		}
	}
	return []trammel.ActionKind{trammel.ReadAction, trammel.EditAction}
}

func (p *prepared) Run(ctx context.Context) (operation.Outcome, error) {
	if err := os.WriteFile(filepath.Join(p.call.Dir, "input.json"), p.command.Stdin, 0o600); err != nil {
		return operation.Outcome{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, registry.Timeout(p.program.TimeoutSec))
	defer cancel()
	r, err := procgroup.Run(ctx, p.command)
	said := operation.Outcome{Stdout: r.Stdout, Stderr: r.Stderr}
	switch {
	case err != nil:
		return said, err
	case r.Signal != "":
		return said, trammel.Fail(trammel.CodeCrash, "%s was ended by %s", p.program.Path, r.Signal)
	}
	output, err := p.output(r)
	if err != nil && r.Exit == 0 {
		return said, err
	}
	out := operation.Take(output)
	out.Stdout, out.Stderr = r.Stdout, r.Stderr
	if r.Exit != 0 {
		return out, trammel.Fail(trammel.CodeCrash, "%s ended with exit code %d%s", p.program.Path, r.Exit, tail(r.Stderr))
	}
	return out, nil
}

// output is the content of the program's output file; without one, the object that it
// printed; without that, the text that it printed.
func (p *prepared) output(r procgroup.Result) (map[string]any, error) {
	path := filepath.Join(p.call.Dir, "output.json")
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return printed(r)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > operation.MaxOutput:
		return nil, trammel.Fail(trammel.CodeOversized, "the output file is not a regular file of at most %d bytes", operation.MaxOutput)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	output, err := strict.Object(data, strict.Limits{})
	if err != nil {
		return nil, trammel.Fail(trammel.CodeMalformed, "the output file: %w", err)
	}
	return output, nil
}

func printed(r procgroup.Result) (map[string]any, error) {
	if r.TruncatedOut {
		return nil, trammel.Fail(trammel.CodeOversized, "the program printed more than %d bytes", operation.MaxOutput)
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(r.Stdout), "\uFFFD"))
	if strings.HasPrefix(text, "{") {
		output, err := strict.Object([]byte(text), strict.Limits{})
		if err != nil {
			return nil, trammel.Fail(trammel.CodeMalformed, "what the program printed: %w", err)
		}
		return output, nil
	}
	if text == "" {
		return map[string]any{}, nil
	}
	return map[string]any{"text": text}, nil
}

// tail is the end of what a program wrote to stderr.
func tail(stderr []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(stderr), "\uFFFD"))
	if runes := []rune(text); len(runes) > 500 {
		text = "…" + string(runes[len(runes)-500:])
	}
	if text == "" {
		return ""
	}
	return ": " + text
}
