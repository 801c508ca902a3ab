package evidencecmd

import (
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/internal/plural"
)

func checkpoint(s *cli.Evidence) *cobra.Command {
	var copies []string
	cmd := &cobra.Command{Use: "checkpoint", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.Flags().StringSliceVar(&copies, "copy", nil, "also write the checkpoint to this directory")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.Open(); err != nil {
			return err
		}
		key, err := s.Key()
		if err != nil {
			return err
		}
		keys, err := s.Authority(nil)
		if err != nil {
			return err
		}
		cp, err := transparency.Sign(s.Log, key, keys, copies...)
		if err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), map[string]any{"size": cp.Size, "root": cp.Root.String(), "verifier": key.Verifier})
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "signed %s, root %s\nverifier key: %s\n", plural.Of(cp.Size, "record"), cp.Root, key.Verifier)
		return err
	}
	return cmd
}

func prove(s *cli.Evidence) *cobra.Command {
	var from, to int64
	cmd := &cobra.Command{Use: "prove [NUMBER]", Args: cobra.MaximumNArgs(1)}
	cmd.Flags().Int64Var(&from, "from", 0, "the size of the earlier checkpoint")
	cmd.Flags().Int64Var(&to, "to", 0, "the size of the later checkpoint")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := s.Open(); err != nil {
			return err
		}
		verifier, err := s.Verifier("")
		if err != nil {
			return err
		}
		if verifier == "" {
			return fmt.Errorf("there is no checkpoint yet; make one with: trammel evidence checkpoint")
		}
		keys, err := s.Authority(nil)
		if err != nil {
			return err
		}
		var proof []byte
		switch {
		case len(args) == 1:
			seq, err := strconv.ParseUint(args[0], 10, 64)
			if err != nil {
				return fmt.Errorf("%q is not the number of a record", args[0])
			}
			proof, err = transparency.ProveInclusion(s.Log, seq, verifier, keys)
			if err != nil {
				return err
			}
		case from > 0 && to > 0:
			if proof, err = transparency.ProveConsistency(s.Log, from, to, verifier, keys); err != nil {
				return err
			}
		default:
			return cli.Usagef("nothing to prove: give a record's number, or --from and --to")
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n", proof)
		return err
	}
	return cmd
}

func check() *cobra.Command {
	var key string
	cmd := &cobra.Command{Use: "check FILE", Args: cobra.ExactArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	cmd.Flags().StringVar(&key, "key", "", "the verifier key")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if key == "" {
			return cli.Usagef("--key is missing: the verifier key that checkpoint printed")
		}
		data, err := os.ReadFile(args[0])
		if err != nil {
			return err
		}
		if err := transparency.CheckProof(data, key); err != nil {
			return fmt.Errorf("the proof is not valid: %w", err)
		}
		return cli.Done(cmd, *asJSON, map[string]bool{"valid": true}, "the proof is valid\n")
	}
	return cmd
}
