package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/dialects/extended"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
)

func importCmd() *cobra.Command {
	var im importing
	names := sourceNames()
	cmd := &cobra.Command{Use: "import SOURCE [FILE or DIRECTORY …]", Args: cobra.MinimumNArgs(1), ValidArgs: names}
	im.json = cli.JSONFlag(cmd)
	cmd.Flags().BoolVar(&im.write, "write", false, "put the hooks into trammel.yaml, and the tests into a file next to it")
	cmd.Flags().BoolVar(&im.grants, "grants", false, "also import rules that allow, into your own layer: then you are not asked")
	cmd.Flags().BoolVar(&im.grants, "grant", false, "the same")
	_ = cmd.Flags().MarkHidden("grant")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, s := range extended.Sources() {
			if s.Name == args[0] || s.Host == args[0] || strings.HasPrefix(s.Name, args[0]+"-") {
				im.source = s
				return im.run(cmd, args[1:])
			}
		}
		return cli.Usagef("found the source %q, expected %s", args[0], strings.Join(names, ", "))
	}
	return cmd
}

func sourceNames() (out []string) {
	for _, s := range extended.Sources() {
		out = append(out, s.Name)
	}
	return out
}

type importing struct {
	source        *importers.Source
	write, grants bool
	json          *bool
}

// importedJSON is what programs see.
type importedJSON struct {
	Config string            `json:"config"`
	Tests  string            `json:"tests"`
	Report []importers.Entry `json:"report"`
}

func (im *importing) run(cmd *cobra.Command, paths []string) error {
	project, err := os.Getwd()
	if err != nil {
		return err
	}
	found, err := im.find(project, paths)
	if err != nil {
		return err
	}
	p, err := cli.Program()
	if err != nil {
		return err
	}
	o := importers.Options{Grants: im.grants, Host: im.source.Host, Check: p.Compiles}
	if im.grants && slices.ContainsFunc(found, func(f importers.File) bool { return !f.User }) {
		o.Project = project
	}
	result, err := importers.Import(im.source, found, o)
	if err != nil {
		return err
	}
	if err := judgeImported(cmd.Context(), result); err != nil {
		return err
	}
	switch {
	case im.write:
		if err := im.place(cmd, project, o.Project, result); err != nil {
			return err
		}
	case !*im.json:
		fmt.Fprint(cmd.OutOrStdout(), result.YAML())
		if tests := result.TestsYAML(); tests != "" {
			fmt.Fprintf(cmd.OutOrStdout(), "\n# Tests, which --write puts into %s:\n#\n# %s\n", im.testFile(),
				strings.ReplaceAll(strings.TrimSuffix(tests, "\n"), "\n", "\n# "))
		}
	}
	if *im.json {
		return cli.JSON(cmd.OutOrStdout(), importedJSON{result.YAML(), result.TestsYAML(), result.Report})
	}
	return result.WriteReport(cmd.ErrOrStderr())
}

// find reads the files that are named, or those that the source has here.
func (im *importing) find(project string, paths []string) (found []importers.File, err error) {
	home, _ := os.UserHomeDir() // "" without one
	if len(paths) == 0 {
		found, err = im.source.Find(project, home)
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			more, err := im.source.Find(path, "")
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
			continue
		}
		f, err := importers.Load(path, home)
		if err != nil {
			return nil, err
		}
		found = append(found, f)
	}
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s has no rules here, expected one of %s", im.source.Name, strings.Join(im.source.Files, ", "))
	}
	return found, err
}

func (im *importing) testFile() string { return im.source.Name + "_import_test.yaml" }

// place writes the hooks and their tests: what allows into the user's layer, and
// everything else into the project's. With --grants, rules of the user alone, of
// no project, stay in the user's layer.
func (im *importing) place(cmd *cobra.Command, dir, project string, r *importers.Result) error {
	if !im.grants {
		return im.merge(cmd, dir, im.source.Name, r)
	}
	dirs, err := layers.System()
	if err == nil {
		err = os.MkdirAll(dirs.User, 0o700)
	}
	if err != nil {
		return err
	}
	if project == "" {
		return im.merge(cmd, dirs.User, im.source.Name, r)
	}
	grants, others := r.Split()
	if err := im.merge(cmd, dir, im.source.Name, others); err != nil {
		return err
	}
	return im.merge(cmd, dirs.User, fmt.Sprintf("%s in %q", im.source.Name, project), grants)
}

// merge puts the hooks into a trammel.yaml, and their tests beside it. Comments
// around the hooks say what they are.
func (im *importing) merge(cmd *cobra.Command, dir, what string, r *importers.Result) error {
	path := filepath.Join(dir, "trammel.yaml")
	existing, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	merged, err := r.Merge(existing, what)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(r.Hooks) == 0 && (len(existing) == 0 || bytes.Equal(merged, existing)) {
		return nil
	}
	for _, f := range [][2]string{{path, string(merged)}, {filepath.Join(dir, im.testFile()), r.TestsYAML()}} {
		if f[1] == "" {
			continue
		}
		if err := files.Replace(f[0], []byte(f[1])); err != nil {
			return err
		}
		fmt.Fprintln(cmd.ErrOrStderr(), "wrote", f[0])
	}
	return nil
}
