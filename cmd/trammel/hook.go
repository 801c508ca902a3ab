package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/pipeline"
)

// hookCmd is what trammel-hook hands events to.
func hookCmd() *cobra.Command {
	var wait time.Duration
	cmd := &cobra.Command{Use: "hook HOST [EVENT]", Hidden: true, Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			return answer(pipeline.Call{Host: args[0], Event: append(args, "")[1], Wait: wait})
		}}
	cmd.Flags().DurationVar(&wait, strings.TrimPrefix(dialects.WaitFlag, "--"), 0, "how long the host waits")
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
		p, err := program()
		if err != nil {
			return nil, err
		}
		return &p.Program, nil
	})
	return nil
}
