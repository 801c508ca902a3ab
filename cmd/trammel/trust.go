package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/terminal"
	"github.com/trammel-dev/trammel/pipeline/full"
)

func trustCmd() *cobra.Command {
	var yes, forget, digest bool
	var expect string
	cmd := &cobra.Command{Use: "trust [DIRECTORY]", Args: cobra.MaximumNArgs(1)}
	asJSON := cmd.Flags().Bool("json", false, "print what is trusted as JSON")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&digest, "digest", false, "only print the digest of what would be trusted")
	cmd.Flags().StringVar(&expect, "expect", "", "do not ask, and trust only what has this digest (default: $"+cli.TrustVariable+")")
	cmd.Flags().BoolVar(&forget, "forget", false, "withdraw the trust")
	cmd.MarkFlagsMutuallyExclusive("digest", "expect", "forget", "yes")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir := "."
		if len(args) == 1 {
			dir = args[0]
		}
		p, err := cli.Program()
		if err != nil {
			return err
		}
		if err := cli.NotByAgent("trust a project"); err != nil && !digest {
			return err
		}
		if _, err := cli.Directory(dir); err != nil && !forget {
			return err
		}
		if forget {
			return forgetTrust(cmd, p, dir, *asJSON)
		}
		summary, err := config.Review(p.Dirs, dir, p.Known())
		if err != nil {
			return err
		}
		if digest {
			return cli.Done(cmd, *asJSON, map[string]string{"digest": summary.Digest}, "%s\n", summary.Digest)
		}
		if *asJSON {
			if err := cli.JSON(cmd.OutOrStdout(), summary); err != nil {
				return err
			}
		} else {
			fmt.Fprint(cmd.OutOrStdout(), summary)
		}
		if expect = strings.TrimSpace(expect); !yes && expect == "" {
			expect = cli.Reviewed()
		}
		switch {
		case expect != "" && expect != summary.Digest:
			return fmt.Errorf("nothing was trusted: %s has the digest %s, expected %s", summary.Dir, summary.Digest, expect)
		case expect == "" && !yes:
			if !terminal.Is(os.Stdin) {
				return fmt.Errorf("nothing was trusted: stdin is not a terminal; pass --yes")
			}
			question := "Trust this?"
			if summary.Loosens() {
				question = "This loosens what is in force. Trust it?"
			}
			if !cli.Confirm(cmd, question) {
				return fmt.Errorf("nothing was trusted: you did not confirm")
			}
		}
		if err := summary.Accept(time.Now()); err != nil {
			return err
		}
		if !*asJSON {
			fmt.Fprintf(cmd.OutOrStdout(), "trusted %s\n", summary.Dir)
		}
		return nil
	}
	return cmd
}

// acceptNamed trusts the digest in the variable, and refuses anything else.
func acceptNamed(p *full.Program, dir string) error {
	digest := cli.Reviewed()
	if digest == "" {
		return nil
	}
	summary, err := config.Review(p.Dirs, dir, p.Known())
	if err != nil {
		return err
	}
	if digest != summary.Digest {
		return fmt.Errorf("%s has the digest %s, but %s is %s", summary.Dir, summary.Digest, cli.TrustVariable, digest)
	}
	return summary.Accept(time.Now())
}

func forgetTrust(cmd *cobra.Command, p *full.Program, dir string, asJSON bool) error {
	abs, err := filepath.Abs(dir)
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
	return cli.Done(cmd, asJSON, map[string]string{"dir": abs, "state": "forgotten"}, "%s is no longer trusted\n", abs)
}
