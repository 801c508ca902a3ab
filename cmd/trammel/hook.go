package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/pipeline"
)

// hookCmd is what trammel-hook hands events to.
func hookCmd() *cobra.Command {
	var call pipeline.Call
	cmd := &cobra.Command{Use: "hook HOST [EVENT]", Hidden: true, Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			call.Host, call.Event = args[0], append(args, "")[1]
			return answer(call)
		}}
	cmd.Flags().DurationVar(&call.Wait, strings.TrimPrefix(dialects.WaitFlag, "--"), 0, "how long the host waits")
	cmd.Flags().BoolVar(&call.Again, strings.TrimPrefix(pipeline.AgainFlag, "--"), false, "it was judged before")
	return cmd
}

func runCmd() *cobra.Command {
	var name, event string
	cmd := &cobra.Command{Use: "run", Args: cobra.NoArgs}
	cmd.Flags().StringVar(&name, "host", "native", "the language that the event is in")
	cmd.Flags().StringVar(&event, "event", "", "the event's name, if the payload does not say it")
	cmd.RunE = func(*cobra.Command, []string) error { return answer(pipeline.Call{Host: name, Event: event}) }
	return cmd
}

// answer runs the whole event flow, with our own stdin, stdout and exit code.
func answer(call pipeline.Call) error {
	pipeline.Serve("trammel", call, func() (*pipeline.Program, error) {
		p, err := cli.Program()
		if err != nil {
			return nil, err
		}
		return &p.Program, nil
	})
	return nil
}
