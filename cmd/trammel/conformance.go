package main

import (
	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/conformance"
)

func conformanceCmd() *cobra.Command {
	var hosts []string
	var adapter, speaks, level, hook string
	var verbose, asJSON bool
	cmd := &cobra.Command{
		Use:   "conformance",
		Short: "Run the conformance kit against an adapter",
		Long: `Runs the kit against our own dialects (--host) or against any other adapter
(--adapter-cmd): a command that gets a host's payload on stdin and answers as that
host expects. L0 observes, L1 steers, L2 enforces.

Exit code 0: the level is reached; 1: it is not.`,
		Example: `  trammel conformance --host claude-code --level L2
  trammel conformance --adapter-cmd ./my-adapter --payload claude-code --level L1`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			wanted, err := conformance.ParseLevel(level)
			if err != nil {
				return err
			}
			if hook == "" {
				if hook, err = hookBeside(); err != nil {
					return err
				}
			}
			var adapters []conformance.Adapter
			switch {
			case adapter != "":
				adapters = append(adapters, conformance.Command(adapter, speaks))
			case len(hosts) == 0:
				hosts = conformance.Hosts()
				fallthrough
			default:
				for _, h := range hosts {
					adapters = append(adapters, conformance.Host(h, hook))
				}
			}
			failed := false
			reports := []*conformance.Report{}
			for _, a := range adapters {
				rep, err := conformance.Run(cmd.Context(), a, conformance.Options{Level: wanted, Verbose: verbose})
				if err != nil {
					return err
				}
				failed = failed || !rep.OK()
				reports = append(reports, rep)
				if !asJSON {
					if err := rep.WriteText(cmd.OutOrStdout()); err != nil {
						return err
					}
				}
			}
			if asJSON {
				if err := printJSON(cmd.OutOrStdout(), reports); err != nil {
					return err
				}
			}
			if failed {
				return exit(1)
			}
			return nil
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&hosts, "host", nil, "our dialects to try (default: all)")
	fl.StringVar(&adapter, "adapter-cmd", "", "another adapter, as a command line")
	fl.StringVar(&speaks, "payload", "native", "the host whose payloads that adapter takes")
	fl.StringVar(&level, "level", "L2", "the level to reach: L0, L1 or L2")
	fl.StringVar(&hook, "hook", "", "the trammel-hook to try (default: the one beside this program)")
	fl.BoolVarP(&verbose, "verbose", "v", false, "show what the adapter said")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("host", "adapter-cmd")
	return cmd
}
