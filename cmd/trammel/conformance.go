package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/conformance"
)

func conformanceCmd() *cobra.Command {
	var hosts []string
	var adapter, speaks, level, hook string
	var verbose bool
	cmd := &cobra.Command{Use: "conformance", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	fl := cmd.Flags()
	fl.StringSliceVar(&hosts, "host", nil, "Trammel's own dialects to test (default: all)")
	fl.StringVar(&adapter, "adapter-cmd", "", "an adapter to test, as a command line")
	fl.StringVar(&speaks, "payload", "native", "the host whose payloads that adapter takes")
	fl.StringVar(&level, "level", "L2", "the level to reach: L0, L1 or L2")
	fl.StringVar(&hook, "hook", "", "the trammel-hook to test (default: the one next to this program)")
	fl.BoolVarP(&verbose, "verbose", "v", false, "show what the adapter answered")
	cmd.MarkFlagsMutuallyExclusive("host", "adapter-cmd")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		wanted, err := conformance.ParseLevel(level)
		if err != nil {
			return cli.Usagef("--level: %w", err)
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
				if known := conformance.Hosts(); !slices.Contains(known, h) {
					return cli.Usagef("unknown host %q, expected one of %s", h, strings.Join(known, ", "))
				}
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
			if !*asJSON {
				if err := rep.WriteText(cmd.OutOrStdout()); err != nil {
					return err
				}
			}
		}
		if *asJSON {
			if err := cli.JSON(cmd.OutOrStdout(), reports); err != nil {
				return err
			}
		}
		if failed {
			return cli.Exit(1)
		}
		return nil
	}
	return cmd
}
