// Package checkcmd is trammel check: everything about a project that can be
// checked without an agent, for CI.
package checkcmd

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
)

// trustVariable names the digest that a person has seen. Only commands that
// people and CI run read it, never a hook: a project could set it for hooks.
const trustVariable = cli.TrustVariable

var formats = map[string]func(io.Writer, *Report) error{
	"text": writeText, "github": writeGitHub, "sarif": writeSARIF, "junit": writeJUnit,
	"json": func(w io.Writer, r *Report) error { return cli.JSON(w, r) },
}

// New is the command.
func New() *cobra.Command {
	cmd := &cobra.Command{Use: "check", Args: cobra.NoArgs}
	dir, format := cli.DirFlag(cmd), cmd.Flags().String("format", "text", "text, json, github, sarif or junit")
	asJSON := cli.JSONFlag(cmd)
	cmd.MarkFlagsMutuallyExclusive("json", "format")
	isolated := cmd.Flags().Bool("isolated", false,
		"without the rules and the trust of this user and machine (default: if CI is set)")
	*isolated = os.Getenv("CI") != ""
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *asJSON {
			*format = "json"
		}
		write := formats[*format]
		if write == nil {
			return cli.Usagef("--format is %q, expected text, json, github, sarif or junit", *format)
		}
		r := &Report{Isolated: *isolated, Passed: []string{}, Findings: []Finding{}}
		if err := r.fill(cmd, *dir); err != nil {
			r.Unable = err.Error()
		}
		r.sort()
		if err := write(cmd.OutOrStdout(), r); err != nil {
			return err
		}
		if code := r.exit(); code != 0 {
			return cli.Exit(code)
		}
		return nil
	}
	return cmd
}

func (r *Report) fill(cmd *cobra.Command, dir string) error {
	abs, err := cli.Directory(dir)
	if err != nil {
		return err
	}
	program, done, err := cli.ProgramOf(r.Isolated)
	if err != nil {
		return err
	}
	defer done()
	c := &check{Report: r, Program: program, dir: abs}
	if r.Isolated {
		c.trusted = cli.Reviewed()
	}
	return c.run(cmd.Context())
}
