package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/cmd/trammel/strengthcmd"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/policytest"
)

func testCmd() *cobra.Command {
	var verbose, isolated, inForce bool
	var junit, from, expect string
	var measure strengthcmd.Options
	cmd := &cobra.Command{Use: "test [FILE or DIRECTORY …]", Args: cobra.ArbitraryArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "also name the cases that passed")
	cmd.Flags().BoolVar(&isolated, "isolated", false, "without the rules and the trust of this user and machine")
	cmd.Flags().BoolVar(&inForce, "in-force", false, "test what calls are judged by now, even if a file has changed since it was trusted")
	cmd.Flags().StringVar(&junit, "junit", "", "also write a JUnit report to this file")
	cmd.Flags().StringVar(&from, "from", "", "make a test case from this record of the evidence, in trammel_test.yaml or the named file")
	cmd.Flags().StringVar(&expect, "expect", "", "with --from: the right decision (default: the opposite of what was decided)")
	measure.Flags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := measure.Check(); err != nil {
			return err
		}
		if from != "" {
			return testFrom(cmd, from, expect, args)
		}
		if len(args) == 0 {
			args = []string{"."}
		}
		files, err := policytest.Find(args...)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return fmt.Errorf("there are no *_test.yaml files in %s; name the file, or the directory that it is in", strings.Join(args, ", "))
		}
		p, done, err := cli.ProgramOf(isolated)
		if err != nil {
			return err
		}
		defer done()
		if isolated {
			if err := acceptNamed(p, "."); err != nil {
				return err
			}
		}
		rules := policytest.Rules{Program: p, InForce: inForce, Isolated: isolated}
		defer func() { noteRules(cmd, &rules) }()
		report := func(results []policytest.Result) error {
			if junit == "" {
				return nil
			}
			return writeJUnit(junit, results)
		}
		if measure.Wanted() {
			return measure.Run(cmd, &rules, files, *asJSON, report)
		}
		runner := policytest.Runner{Program: &p.Program, Rules: &rules}
		results := []policytest.Result{}
		bad := false
		for _, file := range files {
			cases, err := policytest.Read(file)
			if err != nil {
				return err
			}
			if _, err := rules.In(filepath.Dir(file)); err != nil {
				return err
			}
			for i := range cases {
				r := runner.Run(cmd.Context(), file, &cases[i])
				bad = bad || !r.Passed()
				results = append(results, r)
			}
		}
		if err := report(results); err != nil {
			return err
		}
		if *asJSON {
			err = cli.JSON(cmd.OutOrStdout(), results)
		} else {
			policytest.WriteText(cmd.OutOrStdout(), results, cli.Colors(), verbose)
		}
		if err == nil && bad {
			err = cli.Exit(1)
		}
		return err
	}
	return cmd
}

// noteRules says where what was tested is not what calls are judged by.
func noteRules(cmd *cobra.Command, rules *policytest.Rules) {
	for _, text := range rules.Notes {
		fmt.Fprintln(cmd.ErrOrStderr(), "note:", text)
	}
}

// testFrom makes a case of a record with a wrong decision, and runs it: it
// fails until the rules are fixed.
func testFrom(cmd *cobra.Command, which, expect string, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("a record becomes a case in one file, but %d are named", len(args))
	}
	var s cli.Evidence
	if err := s.Open(); err != nil {
		return err
	}
	entry, err := evidence.Show(s.Log, which)
	if err != nil {
		return err
	}
	p, err := cli.Program()
	if err != nil {
		return err
	}
	c, err := policytest.FromRecord(entry.Body, p.Dialects, expect)
	if err != nil {
		return err
	}
	file := append(args, "trammel_test.yaml")[0]
	if err := policytest.Save(file, c); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "saved in %s: %s, and should be %s\n", file, c.Name, c.Expect.Decision)
	rules := policytest.Rules{Program: p}
	defer func() { noteRules(cmd, &rules) }()
	runner := policytest.Runner{Program: &p.Program, Rules: &rules}
	policytest.WriteText(cmd.OutOrStdout(), []policytest.Result{runner.Run(cmd.Context(), file, c)}, cli.Colors(), true)
	return nil
}

func writeJUnit(path string, results []policytest.Result) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := policytest.WriteJUnit(f, results); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
