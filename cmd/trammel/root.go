package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/backtestcmd"
	"github.com/trammel-dev/trammel/cmd/trammel/bundlecmd"
	"github.com/trammel-dev/trammel/cmd/trammel/checkcmd"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/cmd/trammel/docscmd"
	"github.com/trammel-dev/trammel/cmd/trammel/evidencecmd"
	"github.com/trammel-dev/trammel/cmd/trammel/mancmd"
	"github.com/trammel-dev/trammel/cmd/trammel/packcmd"
	"github.com/trammel-dev/trammel/cmd/trammel/snapshotcmd"
	"github.com/trammel-dev/trammel/cmd/trammel/suggestcmd"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/version"
)

func root() *cobra.Command {
	cmd := &cobra.Command{Use: "trammel", Version: version.Number(), SilenceUsage: true, SilenceErrors: true}
	cmd.SetFlagErrorFunc(cli.BadFlag)
	var user, state string
	cmd.PersistentFlags().StringVar(&user, strings.TrimPrefix(layers.UserFlag, "--"), "",
		"the user's configuration directory, as wirings name it")
	cmd.PersistentFlags().StringVar(&state, strings.TrimPrefix(layers.StateFlag, "--"), "", "the state directory, as wirings name it")
	for _, flag := range []string{layers.UserFlag, layers.StateFlag} {
		cmd.PersistentFlags().Lookup(strings.TrimPrefix(flag, "--")).Hidden = true
	}
	cmd.PersistentPreRunE = func(*cobra.Command, []string) error { return cli.WrongCall(layers.Use(user, state)) }
	cmd.SetVersionTemplate("trammel {{.Version}}\n")
	cmd.AddCommand(runCmd(), hookCmd(), runHookCmd(), listCmd(), explainCmd(), testCmd(), schemaCmd(), trustCmd(), policiesCmd(),
		packcmd.New(packApproveCmd()), bundlecmd.New(),
		hooksCmd(), taskCmd(), agentCmd(), mcpCmd(), snapshotcmd.New(),
		approvalsCmd(), allowCmd(), pauseCmd(), resumeCmd(), watchCmd(), notifyCmd(),
		evidencecmd.New(pruneCmd),
		evidencecmd.Report(), evidencecmd.Recent(), serveCmd(), compileCmd(), lintCmd(), eventsCmd(), versionCmd(), demoCmd(),
		denyCmd(), initCmd(), importCmd(), uninstallCmd(), statusCmd(), doctorCmd(), conformanceCmd(), checkcmd.New(), docscmd.New(),
		mancmd.New(), backtestcmd.New(), suggestcmd.New())
	help := cli.HelpCommand(cmd)
	cmd.AddCommand(help)
	describe(cmd)
	cli.WrapHelp(cmd)
	cmd.InitDefaultCompletionCmd()
	group(cmd)
	cmd.SetHelpCommand(help)
	completeValues(cmd)
	cli.RefuseUnknown(cmd)
	return cmd
}
