package packcmd

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/packs/library"
)

// libraryDir is where processes are installed.
func libraryDir() (string, error) {
	p, err := cli.Program()
	if err != nil {
		return "", err
	}
	return p.Library(), nil
}

func exportCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "export DIRECTORY FILE", Args: cobra.ExactArgs(2)}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var b bytes.Buffer
		l, err := library.Export(args[0], &b)
		if err != nil {
			return err
		}
		if err := files.Create(args[1], b.Bytes(), 0o644); err != nil {
			return err
		}
		return cli.Done(cmd, *asJSON, exported{l, args[1]},
			"%s %s %s\n", l.ID, l.Version, l.Digest)
	}
	return cmd
}

// exported is a process in an archive.
type exported struct {
	library.Label
	File string `json:"file"`
}

func installCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "install FILE", Args: cobra.ExactArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir, err := libraryDir()
		if err != nil {
			return err
		}
		f, err := os.Open(args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		got, err := library.Install(dir, f)
		if err != nil {
			return err
		}
		return cli.Done(cmd, *asJSON, got,
			"installed %s %s in %s\n", got.ID, got.Version, got.Dir)
	}
	return cmd
}

func listCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		dir, err := libraryDir()
		if err != nil {
			return err
		}
		list, err := library.List(dir)
		if err != nil {
			return err
		}
		staged := make([]stagedProcess, len(list))
		for i, p := range list {
			staged[i] = stagedProcess{p, stage(cmd.Context(), &p)}
		}
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), staged)
		}
		if len(staged) == 0 {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "no process is installed; trammel pack install FILE installs one")
			return err
		}
		for _, p := range staged {
			word := "intact"
			if !p.Intact {
				word = "changed"
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s %s  %s  %s  %s\n", p.ID, p.Version, word, p.Stage, p.Dir)
		}
		return nil
	}
	return cmd
}

// stagedProcess is an installed process and its stage.
type stagedProcess struct {
	library.Installed
	Stage string `json:"stage"` // installed, approved_for_use
}

func stage(ctx context.Context, p *library.Installed) string {
	opened, err := OpenProcess(p.Dir)
	if err != nil {
		return "installed"
	}
	defer opened.Close()
	if opened.Admitted(ctx) != nil {
		return "installed"
	}
	return "approved_for_use"
}
