package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/dialects/extended"
)

func importCmd() *cobra.Command {
	var grant bool
	cmd := &cobra.Command{Use: "import SYSTEM FILE", Args: cobra.ExactArgs(2)}
	cmd.Flags().BoolVar(&grant, "grant", false, "let hooks that allow a call spare the person the question; not for a project's file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		translate, ok := extended.Systems()[args[0]]
		if !ok {
			return fmt.Errorf("found the system %q, expected %s", args[0], strings.Join(slices.Sorted(maps.Keys(extended.Systems())), " or "))
		}
		data, err := os.ReadFile(args[1])
		if err != nil {
			return err
		}
		name := filepath.Base(args[1])
		text, _, wrong := translate(strings.TrimSuffix(name, filepath.Ext(name)), data, grant)
		if len(wrong) > 0 {
			var lines []string
			for _, p := range wrong {
				lines = append(lines, fmt.Sprintf("%s:%d:%d: %s, expected %s", args[1], p.Line, p.Column, p.Message, p.Expected))
			}
			return fmt.Errorf("%s", strings.Join(lines, "\n"))
		}
		_, err = cmd.OutOrStdout().Write(text)
		return err
	}
	return cmd
}
