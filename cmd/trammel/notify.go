package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/approvals/channels/standard"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
)

func notifyCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "notify TITLE [TEXT]", Args: cobra.RangeArgs(1, 2)}
	dir := cmd.Flags().String("dir", "", "the directory to look from (default: the current one)")
	names := cmd.Flags().StringArray("channel", nil, "NAME: a channel of approvals.channels (default: all of them)")
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, _, plan, err := cli.Loaded(*dir)
		if err != nil {
			return err
		}
		d, err := p.Desk(&plan.Settings)
		if err != nil {
			return err
		}
		if len(d.Settings.Channels) == 0 {
			return fmt.Errorf("there are no channels: declare some in approvals.channels")
		}
		text := strings.Join(args[1:], "")
		if text == "-" {
			all, err := io.ReadAll(cmd.InOrStdin())
			if err != nil {
				return err
			}
			text = string(all)
		}
		env := &channels.Env{Now: time.Now, Getenv: os.Getenv}
		took, err := standard.Notify(cmd.Context(), d.Settings.Channels, env, *names, channels.NewNotice(args[0], text))
		if len(took) == 0 {
			return err
		}
		return errors.Join(err, cli.Done(cmd, *asJSON, map[string]any{"told": took}, "told %s\n", strings.Join(took, ", ")))
	}
	return cmd
}
