package packcmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/plural"
	"github.com/trammel-dev/trammel/packs"
	"github.com/trammel-dev/trammel/packs/process"
)

func validateCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "validate [DIRECTORY]", Args: cobra.MaximumNArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if process.Is(directory(args)) {
			return validateProcess(cmd.OutOrStdout(), directory(args), *asJSON)
		}
		p, list := packs.Open(directory(args))
		if p != nil {
			if more := p.Check(); more != nil {
				p, list = nil, append(list, more...)
			}
		}
		var err error
		switch {
		case *asJSON:
			if list == nil {
				list = []packs.Diagnostic{}
			}
			err = cli.JSON(cmd.OutOrStdout(), map[string]any{"valid": p != nil, "diagnostics": list})
		default:
			for _, d := range list {
				fmt.Fprintln(cmd.OutOrStdout(), d)
			}
			if p != nil {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "valid: %s (%s), %s\n", p.Runtime.ID, p.Runtime.Kind, plural.Of(len(p.Hooks), "hook"))
			}
		}
		if err == nil && p == nil {
			return cli.Exit(1)
		}
		return err
	}
	return cmd
}

// validateProcess checks a whole process, step by step.
func validateProcess(w io.Writer, dir string, asJSON bool) (err error) {
	_, report := process.Read(dir)
	if asJSON {
		err = cli.JSON(w, report)
	} else {
		for _, d := range report.Diagnostics {
			fmt.Fprintln(w, d)
		}
		if report.Valid {
			_, err = fmt.Fprintf(w, "valid: the process %s %s\n", report.ID, report.Version)
		}
	}
	if err == nil && !report.Valid {
		return cli.Exit(1)
	}
	return err
}

func showCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "show [DIRECTORY]", Args: cobra.MaximumNArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := openPack(directory(args))
		if err != nil {
			return err
		}
		digest, err := files.Tree(p.Dir)
		if err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), map[string]any{
				"dir": p.Dir, "digest": digest, "entrypoint": p.Entrypoint, "hooks": p.Hooks, "allowed_output_fields": p.Contract.Allowed,
				"runtime": map[string]any{"id": p.Runtime.ID, "kind": p.Runtime.Kind, "command": p.Runtime.Command,
					"timeout_ms": p.Runtime.Timeout.Milliseconds()},
			})
		}
		w := cmd.OutOrStdout()
		fmt.Fprintf(w, "%s (%s)\n  runs     %s, for at most %v a call\n  entry    %s\n  allowed  %s\n  digest   %s\n\n", p.Runtime.ID,
			p.Runtime.Kind,
			strings.Join(p.Runtime.Command, " "), p.Runtime.Timeout, p.Entrypoint, strings.Join(p.Contract.Allowed, ", "), digest)
		rows := [][]string{{"HOOK", "TYPE", "TAKES", "ABOUT"}}
		for _, h := range p.Hooks {
			rows = append(rows, []string{h.ID, string(h.Type), h.ArtifactType, h.Description})
		}
		return cli.Table(w, rows)
	}
	return cmd
}

func directory(args []string) string {
	if len(args) == 0 {
		return "."
	}
	return args[0]
}
