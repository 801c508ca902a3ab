package packcmd

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/packs"
)

func callCmd() *cobra.Command {
	var flags calling
	var call fst.Call
	var payload, record string
	cmd := &cobra.Command{Use: "call DIRECTORY [HOOK]", Args: cobra.RangeArgs(1, 2)}
	asJSON := cli.JSONFlag(cmd)
	flags.flags(cmd)
	cmd.Flags().StringVar(&payload, "payload", "{}", "the payload: a JSON object, @FILE, or - for stdin")
	cmd.Flags().StringVar(&record, "call", "", "the whole call record, instead of HOOK and --payload: JSON, @FILE, or - for stdin")
	cmd.Flags().StringVar(&call.Run, "run-id", "", "the run that the call belongs to")
	cmd.Flags().StringVar(&call.Profile, "profile-id", "", "the profile of the run")
	cmd.Flags().StringVar(&call.ProfileVersion, "profile-version", "", "the version of the profile")
	cmd.Flags().StringVar(&call.ArtifactType, "artifact-type", "", "the type of the artifact (default: the one that the hook takes)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := openPack(args[0])
		if err != nil {
			return err
		}
		switch {
		case record != "" && len(args) == 1:
			raw, err := readArgument(cmd, record)
			if err != nil {
				return err
			}
			if call, err = fst.DecodeCall(raw); err != nil {
				return cli.Usagef("--call: %w", err)
			}
		case record == "" && len(args) == 2:
			call.Hook = args[1]
			if call.Payload, err = readPayload(cmd, payload); err != nil {
				return err
			}
		default:
			return fmt.Errorf("expected either the id of a hook or --call with a whole record")
		}
		o, err := flags.options()
		if err != nil {
			return err
		}
		ctx, stop := cli.Interruptible(cmd)
		defer stop()
		s := p.Session(o)
		defer s.Close()
		out, err := s.Last(ctx, call)
		if err != nil {
			return err
		}
		return printOutcome(cmd.OutOrStdout(), &out, *asJSON)
	}
	return cmd
}

// printOutcome prints an outcome and returns its exit code.
func printOutcome(w io.Writer, o *packs.Outcome, asJSON bool) error {
	if asJSON {
		if err := cli.JSON(w, o.Report()); err != nil {
			return err
		}
	} else if err := tellPlainly(w, o); err != nil {
		return err
	}
	switch {
	case o.Fault != "":
		return cli.Exit(exitFailed)
	case o.Result.Valid != nil && !*o.Result.Valid:
		return cli.Exit(exitInvalid)
	}
	return nil
}

func tellPlainly(w io.Writer, o *packs.Outcome) error {
	word := o.Result.Status
	switch {
	case o.Fault != "":
		word = fmt.Sprintf("failed: %s (leads to %s)", o.Fault, o.Route)
	case o.Result.Valid != nil && *o.Result.Valid:
		word = "valid"
	case o.Result.Valid != nil:
		word = "not valid"
	}
	fmt.Fprintf(w, "%s: %s\n", o.Hook, word)
	if o.Field != "" {
		fmt.Fprintf(w, "  field %q\n", o.Field)
	}
	for _, d := range o.Result.Diagnostics {
		if d != string(o.Fault) {
			fmt.Fprintf(w, "  %q\n", d)
		}
	}
	if o.Result.Facts != nil {
		facts, err := json.Marshal(o.Result.Facts)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  facts %s\n", facts)
	}
	if o.Result.Rendered != nil {
		fmt.Fprintf(w, "\n%s\n", *o.Result.Rendered)
	}
	if o.Stderr != "" {
		fmt.Fprintf(w, "  stderr %q\n", o.Stderr)
	}
	return nil
}
