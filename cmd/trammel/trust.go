package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/terminal"
	"github.com/trammel-dev/trammel/pipeline/full"
)

func trustCmd() *cobra.Command {
	var yes, forget, asJSON, digest bool
	var expect string
	cmd := &cobra.Command{
		Use:   "trust [DIRECTORY]",
		Short: "Trust a project's configuration as it is now",
		Long: `A project's files are the agent's to edit, so what they declare counts in full
only after a human has looked at it. Until then only those of their hooks run
that tighten and start nothing: rules that deny or ask, and built-in guards.

trust shows what the files declare and what their hooks start, and pins both by
digest. When a file changes later, the trusted version stays in force and the
changed one is untrusted until you run trust again.

Trust belongs to the repository: a clone of it elsewhere on this machine that
has the same files is trusted, too. A build server has no such records. There,
--expect trusts without asking, provided that the project still has the digest
which a person has seen with --digest. Keep it in the settings of the build
server, and not in the repository.

The shell of an agent is refused. That is a speed bump, not a wall: also write a
rule that keeps the agent away from this command.`,
		Example: `  trammel trust
  trammel trust --forget ../old-project
  trammel trust --digest
  trammel trust --expect "$REVIEWED_DIGEST"`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			p, err := program()
			if err != nil {
				return err
			}
			if agent := agentShell(); agent != "" && !digest {
				return fmt.Errorf("%s is set: this is an agent's shell, and only a person may trust a project", agent)
			}
			if forget {
				return forgetTrust(cmd, p, dir)
			}
			summary, err := config.Review(p.Dirs, dir, full.Registry{Registry: p.Registry, Dialects: p.Dialects})
			if err != nil {
				return err
			}
			if digest {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), summary.Digest)
				return err
			}
			if asJSON {
				if err := printJSON(cmd.OutOrStdout(), summary); err != nil {
					return err
				}
			} else {
				fmt.Fprint(cmd.OutOrStdout(), summary)
			}
			switch {
			case expect != "" && expect != summary.Digest:
				return fmt.Errorf("nothing is trusted: %s has the digest %s, expected %s", summary.Dir, summary.Digest, expect)
			case expect == "" && !yes:
				if !terminal.Is(os.Stdin) {
					return fmt.Errorf("nothing is trusted yet: stdin is not a terminal; pass --yes")
				}
				if !confirm(cmd, "Trust this?") {
					return fmt.Errorf("nothing is trusted")
				}
			}
			if err := summary.Accept(time.Now()); err != nil {
				return err
			}
			if !asJSON {
				fmt.Fprintf(cmd.OutOrStdout(), "trusted %s\n", summary.Dir)
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&digest, "digest", false, "only print the digest of what would be trusted")
	cmd.Flags().StringVar(&expect, "expect", "", "do not ask, and trust only what has this digest")
	cmd.Flags().BoolVar(&forget, "forget", false, "withdraw the trust")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what is trusted as JSON")
	cmd.MarkFlagsMutuallyExclusive("digest", "expect", "forget", "yes")
	return cmd
}

func forgetTrust(cmd *cobra.Command, p *full.Program, dir string) error {
	abs, err := absolute(dir)
	if err != nil {
		return err
	}
	if rec, err := layers.Status(p.Dirs, abs); err != nil {
		return err
	} else if rec == nil {
		return fmt.Errorf("%s is not trusted", abs)
	}
	if err := layers.Forget(p.Dirs, abs); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is no longer trusted\n", abs)
	return err
}

func confirm(cmd *cobra.Command, question string) bool {
	fmt.Fprintf(cmd.OutOrStdout(), "%s [y/N] ", question)
	line, _ := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), "y")
}

// agentShell names the variable by which an agent marks the shells it starts.
func agentShell() string { return standard.Mark(os.Getenv) }
