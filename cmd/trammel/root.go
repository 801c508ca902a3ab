package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/version"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
)

func root() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trammel",
		Short: "Hooks that an AI agent cannot talk its way past",
		Long: `Trammel is one engine for hooks, policy and evidence, for every agent.

Declare hooks in trammel.yaml, let your agent call trammel-hook, and read what
happened with "trammel evidence".`,
		Example: `  trammel explain --tool Bash --command "git push --force"
  trammel test
  trammel evidence verify`,
		Version:       version.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	var user, state string
	cmd.PersistentFlags().StringVar(&user, strings.TrimPrefix(layers.UserFlag, "--"), "",
		"the user's configuration directory, as wirings name it")
	cmd.PersistentFlags().StringVar(&state, strings.TrimPrefix(layers.StateFlag, "--"), "", "the state directory, as wirings name it")
	for _, flag := range []string{layers.UserFlag, layers.StateFlag} {
		cmd.PersistentFlags().Lookup(strings.TrimPrefix(flag, "--")).Hidden = true
	}
	cmd.PersistentPreRunE = func(*cobra.Command, []string) error { return layers.Use(user, state) }
	cmd.SetVersionTemplate("trammel {{.Version}}\n")
	cmd.AddCommand(runCmd(), hookCmd(), runHookCmd(), listCmd(), explainCmd(), testCmd(), schemaCmd(), trustCmd(), policiesCmd(), packCmd(),
		hooksCmd(), taskCmd(), agentCmd(), snapshotCmd(),
		evidenceCmd(), compileCmd(), lintCmd(), eventsCmd(), versionCmd(), demoCmd(),
		initCmd(), uninstallCmd(), statusCmd(), doctorCmd(), conformanceCmd())
	cmd.SetHelpCommand(helpCmd(cmd))
	cmd.InitDefaultHelpCmd()
	cmd.InitDefaultCompletionCmd()
	refuseUnknown(cmd)
	return cmd
}

// program puts the full program together for this system's directories.
func program() (*full.Program, error) {
	dirs, err := layers.System()
	if err != nil {
		return nil, err
	}
	return full.New(dirs), nil
}

// loaded compiles the configuration that holds in a directory; "" is the
// current one.
func loaded(dir string) (*full.Program, *layers.Set, *plan.Plan, error) {
	p, err := program()
	if err != nil {
		return nil, nil, nil, err
	}
	abs, err := absolute(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	set, err := layers.Find(p.Dirs, abs)
	if err != nil {
		return nil, nil, nil, err
	}
	compiled, err := p.Compile(set)
	return p, set, compiled, err
}
