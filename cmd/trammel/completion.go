package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/install"
)

// flagValues are the completions for the values of flags.
var flagValues = map[string]func() []string{
	"host":     agentNames,
	"event":    eventNames,
	"decision": func() []string { return cli.Decisions },
	"scope":    func() []string { return []string{string(install.User), string(install.Project)} },
	"missing":  func() []string { return []string{"block", "warn"} },
}

// argumentValues are the completions for arguments, by their name in the usage line.
var argumentValues = map[string]func() []string{
	"AGENT":  agentNames,
	"POLICY": policyNames,
	"PRESET": config.Presets,
}

func agentNames() (names []string) {
	for _, h := range install.Hosts() {
		names = append(names, h.System)
	}
	return names
}

func eventNames() (names []string) {
	for _, k := range trammel.Kinds() {
		names = append(names, k.String())
	}
	return names
}

func policyNames() (names []string) {
	p, err := cli.Program()
	if err != nil {
		return nil
	}
	for _, policy := range p.Registry.Policies() {
		names = append(names, policy.Name)
	}
	return names
}

// completeValues lets the shell complete the values of flags and arguments.
func completeValues(cmd *cobra.Command) {
	for name, values := range flagValues {
		if cmd.Flags().Lookup(name) != nil {
			// It fails only if the flag does not exist, or already has completions.
			_ = cmd.RegisterFlagCompletionFunc(name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return values(), cobra.ShellCompDirectiveNoFileComp
			})
		}
	}
	for word := range strings.FieldsFuncSeq(cmd.Use, func(r rune) bool { return strings.ContainsRune(" []…", r) }) {
		values := argumentValues[word]
		if values == nil {
			continue
		}
		cmd.ValidArgsFunction = func(_ *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
			left := slices.DeleteFunc(values(), func(v string) bool { return slices.Contains(given, v) })
			return left, cobra.ShellCompDirectiveNoFileComp
		}
	}
	for _, sub := range cmd.Commands() {
		completeValues(sub)
	}
}
