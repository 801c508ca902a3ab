package evidencecmd

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/internal/files"
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
		var seq uint64
		switch {
		case len(args) == 1:
			var err error
			if seq, err = strconv.ParseUint(args[0], 10, 64); err != nil {
				return cli.Usagef("%q is not the number of a record; trammel evidence list shows them", args[0])
			}
		case from <= 0 || to <= 0:
			return cli.Usagef("nothing to prove: give a record's number, or --from and --to")
		case from > to:
			return cli.Usagef("--from is %d and --to is %d, expected the earlier checkpoint first", from, to)
		}
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
		if len(args) == 1 {
			proof, err = transparency.ProveInclusion(s.Log, seq, verifier, keys)
		} else {
			proof, err = transparency.ProveConsistency(s.Log, from, to, verifier, keys)
		}
		if err != nil {
			return err
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
		data, err := files.Named(args[0])
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
