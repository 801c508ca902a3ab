package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/policytest"
)

func testCmd() *cobra.Command {
	var verbose bool
	var junit string
	cmd := &cobra.Command{Use: "test [FILE or DIRECTORY …]", Args: cobra.ArbitraryArgs}
	asJSON := jsonFlag(cmd)
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "also name the cases that passed")
	cmd.Flags().StringVar(&junit, "junit", "", "also write a JUnit report to this file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			args = []string{"."}
		}
		files, err := policytest.Find(args...)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return fmt.Errorf("no *_test.yaml files found in %v", args)
		}
		p, err := program()
		if err != nil {
			return err
		}
		runner := policytest.Runner{Program: &p.Program}
		results := []policytest.Result{}
		bad := false
		for _, file := range files {
			cases, err := policytest.Read(file)
			if err != nil {
				return err
			}
			for i := range cases {
				r := runner.Run(cmd.Context(), file, &cases[i])
				bad = bad || !r.Passed()
				results = append(results, r)
			}
		}
		if junit != "" {
			if err := writeJUnit(junit, results); err != nil {
				return err
			}
		}
		if *asJSON {
			err = printJSON(cmd.OutOrStdout(), results)
		} else {
			policytest.WriteText(cmd.OutOrStdout(), results, colors(), verbose)
		}
		if err == nil && bad {
			err = exit(1)
		}
		return err
	}
	return cmd
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
