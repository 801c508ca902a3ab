package evidencecmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/internal/plural"
)

// verifyExport checks a file that export has written, on any machine.
func (a *against) verifyExport(cmd *cobra.Command, file string, asJSON bool) error {
	for _, flag := range []string{"all", "removed", "authority", "dir"} {
		if cmd.Flags().Changed(flag) {
			return cli.Usagef("--%s is about a log of this machine, and %s is an export: give one of them", flag, file)
		}
	}
	if (a.key == "") != (len(a.copies) == 0) {
		return cli.Usagef("of an export, --key and --copy belong together: the verifier key, and the directory with the checkpoints")
	}
	in, name := cmd.InOrStdin(), "stdin"
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a directory, expected a file that trammel evidence export has written", file)
		}
		in, name = f, file
	}
	lines := bufio.NewReader(in)
	if start, _ := lines.Peek(len(evidence.CSVStart)); string(start) == evidence.CSVStart {
		return fmt.Errorf("%s is a CSV table, which has the hashes but not what was hashed, so it cannot be verified; export it with: "+
			"trammel evidence export --format jsonl", name)
	}
	x, err := transparency.VerifyExport(lines, name, a.key, a.copies...)
	if err == nil && x.Records == 0 && x.Broken == nil {
		err = errors.New("it has no records")
	}
	if err != nil && (x.Records == 0 || !asJSON) {
		return fmt.Errorf("%s: %w", name, err)
	}
	if asJSON {
		out := map[string]any{"file": name, "records": x.Records, "first": x.First, "last": x.Last, "head": x.Head, "complete": x.Complete(),
			"missing": append([]evidence.Span{}, x.Missing...), "checkpoints": len(x.Checkpoints), "signed_through": x.Signed()}
		if x.Broken != nil {
			out["broken"] = x.Broken
		}
		if err != nil {
			out["checkpoint_error"] = err.Error()
		}
		if printed := cli.JSON(cmd.OutOrStdout(), out); printed != nil {
			return printed
		}
	} else if printed := cli.Wrap(cmd.OutOrStdout(), func(w io.Writer) error { return printExport(w, &x) }); printed != nil {
		return printed
	}
	if err != nil || x.Broken != nil {
		return cli.Exit(1)
	}
	return nil
}

func printExport(w io.Writer, x *transparency.Exported) error {
	c := cli.Colors()
	if x.Broken != nil {
		_, err := fmt.Fprintf(w, "%sBROKEN%s at %s\nsound before it: %s\n", c.Bad, c.Off, x.Broken,
			plural.Of(x.Records, "record"))
		return err
	}
	fmt.Fprintf(w, "%sok%s: %s, from %d to %d, head %s: each matches its hash\n", c.Good, c.Off, plural.Of(x.Records, "record"),
		x.First, x.Last, x.Head)
	if missing := missingText(x); missing != "" {
		fmt.Fprintf(w, "not in it: %s. The file does not say whether a filter left them out or somebody removed them.\n", missing)
	} else {
		fmt.Fprintln(w, "complete: each record follows the one before it, from the first of the log")
	}
	signed := x.Signed()
	switch {
	case signed == 0:
		fmt.Fprintln(w, "not signed: whoever wrote this file could have computed all hashes itself. To rule that out, get the verifier key and "+
			"the checkpoints (trammel evidence checkpoint --copy DIR) from someone you trust, and pass --key KEY --copy DIR.")
	case signed < x.Last:
		fmt.Fprintf(w, "signed: records 1 to %d are what %s signed; those after it are not signed\n", signed,
			plural.Of(len(x.Checkpoints), "checkpoint"))
	default:
		fmt.Fprintf(w, "signed: all records are what %s signed\n", plural.Of(len(x.Checkpoints), "checkpoint"))
	}
	return nil
}

// missingText names the records that are missing, "" if none are. What came
// after the last record cannot be known.
func missingText(x *transparency.Exported) string {
	spans := x.Missing
	if x.First > 1 {
		spans = append([]evidence.Span{{First: 1, Last: x.First - 1}}, spans...)
	}
	const most = 5
	var parts []string
	for i, s := range spans {
		switch {
		case i == most:
			return strings.Join(parts, ", ") + fmt.Sprintf(" and %d more gaps", len(spans)-most)
		case s.First == s.Last:
			parts = append(parts, fmt.Sprintf("record %d", s.First))
		default:
			parts = append(parts, fmt.Sprintf("records %d to %d", s.First, s.Last))
		}
	}
	return strings.Join(parts, ", ")
}
