package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/terminal"
)

type explainFlags struct {
	host, event, tool, command, path, prompt, input, dir string
	asJSON                                               bool
}

func explainCmd() *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{Use: "explain [COMMAND]", Args: oneCommand}
	fl := cmd.Flags()
	fl.StringVar(&f.host, "host", "claude-code", "the host that reports the event")
	fl.StringVar(&f.event, "event", "", "the event, by any agent's name for it (default pre_tool_use)")
	fl.StringVar(&f.tool, "tool", "", "the tool's name")
	fl.StringVar(&f.command, "command", "", "the tool's command")
	fl.StringVar(&f.path, "path", "", "the file that the tool works on")
	fl.StringVar(&f.prompt, "prompt", "", "the prompt")
	fl.StringVar(&f.input, "input", "", "the tool's arguments, as JSON")
	fl.StringVar(&f.dir, "dir", "", "the directory to look from (default: the current one)")
	fl.BoolVar(&f.asJSON, "json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			f.command = args[0]
		}
		return explain(cmd, &f)
	}
	return cmd
}

func oneCommand(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) > 1:
		return cli.Usagef("found %d arguments, expected one command line: quote it", len(args))
	case len(args) == 1 && cmd.Flags().Changed("command"):
		return cli.Usagef("the command is given twice: as an argument and with --command")
	}
	return nil
}

// explainExit is the exit code of explain for a verdict, for scripts.
var explainExit = map[trammel.Decision]cli.Exit{trammel.Deny: 2, trammel.Ask: 3}

func explain(cmd *cobra.Command, f *explainFlags) error {
	p, err := cli.Program()
	if err != nil {
		return err
	}
	ev, err := f.read(cmd.InOrStdin(), p.Dialects)
	if err != nil {
		return err
	}
	dir, err := cli.Directory(f.dir)
	if err != nil {
		return err
	}
	ev.Session.Dir = cmp.Or(ev.Session.Dir, dir)
	judged, hooks, err := p.Explain(cmd.Context(), ev, []string{dir, ev.Session.Dir})
	if err != nil {
		return err
	}
	if f.asJSON {
		if err := cli.JSON(cmd.OutOrStdout(), explainedJSON(judged, hooks)); err != nil {
			return err
		}
	} else if err := printExplained(cmd.OutOrStdout(), judged, hooks, cli.Colors()); err != nil {
		return err
	}
	for _, note := range judged.Plan.Notes {
		if strings.Contains(note, "not in force") { // a rule that is not in force is not among the hooks
			fmt.Fprintln(cmd.ErrOrStderr(), "note: "+note)
		}
	}
	if code := explainExit[judged.Verdict.Decision]; code != 0 {
		return code
	}
	return nil
}

// read builds the event from flags, or reads it from stdin.
func (f *explainFlags) read(stdin io.Reader, hosts *dialects.Set) (*trammel.Event, error) {
	dialect, err := hosts.Named(f.host)
	if err != nil {
		return nil, cli.Usagef("%w", err)
	}
	if f.tool == "" && f.prompt == "" && f.input == "" && f.command == "" && f.path == "" {
		var raw []byte
		if file, ok := stdin.(*os.File); !ok || !terminal.Is(file) {
			var err error
			if raw, err = io.ReadAll(io.LimitReader(stdin, 16<<20)); err != nil {
				return nil, err
			}
		}
		switch {
		case len(raw) > 0:
			ev, err := dialect.DecodeEvent(raw, f.event)
			if err != nil {
				err = fmt.Errorf("the payload on stdin: %w", err)
			}
			return ev, err
		case f.event == "":
			return nil, fmt.Errorf("no event: give a command, --tool, --event, or a payload on stdin; see trammel explain --help")
		}
	}
	if f.event == "" {
		f.event = trammel.PreToolUse.String()
		if f.prompt != "" && f.tool == "" {
			f.event = trammel.UserPromptSubmit.String()
		}
	}
	kind, ok := trammel.ParseKind(f.event)
	if !ok {
		return nil, cli.Usagef("unknown event %q; trammel events lists them", f.event)
	}
	ev := &trammel.Event{Kind: kind, Name: f.event, Host: dialect.Name(), Session: trammel.Session{ID: "explain", Dir: f.dir}}
	if f.prompt != "" {
		ev.Prompt = &trammel.Prompt{Text: f.prompt}
	}
	if f.tool == "" && (f.command != "" || f.path != "" || f.input != "") {
		f.tool = "Bash"
	}
	ev.Tools = dialects.ShapesFor(dialect, f.tool)
	if f.tool != "" {
		input := map[string]any{}
		if f.input != "" {
			var err error
			if input, err = strict.Object([]byte(f.input), strict.Limits{}); err != nil {
				return nil, cli.Usagef("--input: %w", err)
			}
		}
		if f.command != "" {
			input["command"] = f.command
		}
		if f.path != "" {
			input["file_path"] = f.path
		}
		ev.Tool = &trammel.ToolCall{Name: f.tool, Input: input, Done: kind == trammel.PostToolUse}
	}
	return ev, nil
}
