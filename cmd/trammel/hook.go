package main

import (
	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/pipeline"
)

// hookCmd is what trammel-hook hands events to.
func hookCmd() *cobra.Command {
	return &cobra.Command{
		Use:    "hook HOST [EVENT]",
		Short:  "Answer one call of a host, as trammel-hook does",
		Hidden: true,
		Args:   cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			event := ""
			if len(args) == 2 {
				event = args[1]
			}
			return answer(args[0], event)
		},
	}
}

func runCmd() *cobra.Command {
	var name, event string
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Dispatch one event from stdin and print the verdict",
		Long: `Dispatches one event from stdin against the configuration in force here,
records it as evidence, and prints the verdict. The event is in the native JSON,
or in a host's own with --host.

Exit codes of the native form: 0 the event may go on; 2 it may not, because it
is denied, a human should decide or it was canceled (the verdict says which);
1 the event was not one that can be blocked, and could not be judged.`,
		Example: `  echo '{"event":"pre_tool_use","tool":{"name":"Bash","input":{"command":"git push --force"}}}' | trammel run`,
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return answer(name, event) },
	}
	cmd.Flags().StringVar(&name, "host", "native", "the language that the event is in")
	cmd.Flags().StringVar(&event, "event", "", "the event's name, if the payload does not say it")
	return cmd
}

// answer runs the whole event flow, with our own stdin, stdout and exit code.
func answer(name, event string) error {
	pipeline.Serve("trammel", pipeline.Call{Host: name, Event: event}, func() (*pipeline.Program, error) {
		p, err := program()
		if err != nil {
			return nil, err
		}
		return &p.Program, nil
	})
	return nil
}
