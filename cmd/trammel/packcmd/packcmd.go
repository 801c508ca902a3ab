// Package packcmd is trammel pack: process packs from the command line.
package packcmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/packs"
)

// The exit codes of pack call, in addition to 0 and 1.
const (
	exitInvalid = 2 // the hook did its work and found the artifact not valid
	exitFailed  = 3 // the call failed, or a repeated call had another result
)

// New is the command with all its verbs, and those that only a person may use.
func New(people ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: "pack"}
	cmd.AddCommand(initCmd(), validateCmd(), showCmd(), callCmd(), batchCmd(), scenarioCmd(), exportCmd(), installCmd(), listCmd(),
		replayCmd(), controlCmd(), explainCmd())
	cmd.AddCommand(people...)
	return cmd
}

// openPack opens a pack, and says what is wrong with one that cannot be used.
func openPack(dir string) (*packs.Pack, error) {
	p, list := packs.Open(dir)
	if p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("the pack in %s cannot be used:%s", dir, wrongIn(list))
}

// wrongIn lists the errors among the diagnostics, a line each.
func wrongIn(list []packs.Diagnostic) string {
	var b strings.Builder
	for _, d := range list {
		if d.Severity == packs.Error {
			fmt.Fprintf(&b, "\n  %s", d)
		}
	}
	return b.String()
}

// calling are the flags of the verbs that call hooks.
type calling struct {
	onFailure      string
	keep, noRecord bool
}

func (c *calling) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.onFailure, "on-failure", string(packs.Blocked), "the route after a failure: Blocked or InstructAgent")
	cmd.Flags().BoolVar(&c.keep, "keep-payload", false, "put payloads into the record, so that replay can run them again")
	cmd.Flags().BoolVar(&c.noRecord, "no-record", false, "leave no record")
}

func (c *calling) options() (packs.Options, error) {
	o := packs.Options{OnFailure: packs.Route(c.onFailure), Keep: c.keep}
	if o.OnFailure != packs.Blocked && o.OnFailure != packs.InstructAgent {
		return o, cli.Usagef("--on-failure: found %q, expected %s or %s", c.onFailure, packs.Blocked, packs.InstructAgent)
	}
	if c.noRecord {
		return o, nil
	}
	s := &cli.Evidence{}
	if _, err := s.Place(); err != nil {
		return o, err
	}
	o.Log = evidence.Open(s.Log, evidence.Options{})
	return o, nil
}

// readArgument is the text of a flag, of a file (@FILE), or of stdin (-).
func readArgument(cmd *cobra.Command, text string) ([]byte, error) {
	switch file, named := strings.CutPrefix(text, "@"); {
	case text == "-":
		return io.ReadAll(cmd.InOrStdin())
	case named:
		return files.Named(file)
	}
	return []byte(text), nil
}

// readPayload reads a JSON object.
func readPayload(cmd *cobra.Command, text string) (map[string]any, error) {
	raw, err := readArgument(cmd, text)
	if err != nil {
		return nil, err
	}
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fst.BadPayload, err)
	}
	return obj, nil
}
