package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/repohooks/scaffold"
)

func hooksNew(dir *string) *cobra.Command {
	h := scaffold.Hook{}
	var event string
	var asJSON bool
	cmd := &cobra.Command{Use: "new ID --event EVENT", Args: cobra.ExactArgs(1)}
	f := cmd.Flags()
	f.StringVar(&event, "event", "", "the event: PromptSubmit, PreAbilityCreate, PreAbilityCall, PostAbilityCall or SessionStop")
	f.StringVar(&h.Summary, "summary", "Says in a line what it is for.", "what it is for")
	f.StringArrayVar(&h.Abilities, "ability", nil, "a glob over abilities; may be repeated")
	f.StringArrayVar(&h.Paths, "path", nil, "a glob over changed files, for SessionStop; may be repeated")
	f.BoolVar(&h.Blocking, "blocking", false, "whether the runtime waits for it (default: on the first three events)")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	_ = cmd.MarkFlagRequired("event")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		abs, err := cli.Directory(*dir)
		if err != nil {
			return err
		}
		p, err := cli.Program()
		if err != nil {
			return err
		}
		h.ID, h.Event = args[0], repohooks.EventType(event)
		if !cmd.Flags().Changed("blocking") {
			h.Blocking = h.Event.SignalsAgent()
		}
		report, err := scaffold.Create(layers.Root(p.Dirs, abs), h, p.Known())
		if err != nil {
			return err
		}
		if asJSON {
			return cli.JSON(cmd.OutOrStdout(), report)
		}
		for _, file := range report.ChangedFiles {
			fmt.Fprintln(cmd.OutOrStdout(), "wrote", file)
		}
		fmt.Fprintln(cmd.OutOrStdout(), report.Summary)
		return nil
	}
	return cmd
}
