package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/install"
	"github.com/trammel-dev/trammel/internal/files"
)

// emitting are the flags of init for administrators.
type emitting struct{ dir, os string }

func (e *emitting) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&e.dir, "emit", "", "with --scope machine: where to write the files that an administrator deploys")
	cmd.Flags().StringVar(&e.os, "os", "", "with --emit: the operating system of the files: linux, macos or windows (default: this one)")
}

// wanted reports whether the flags are about files for administrators.
func (e *emitting) wanted(f *wiringFlags) (bool, error) {
	switch machine := f.scope == string(install.Machine); {
	case machine && e.dir == "":
		return false, cli.Usagef("--scope machine writes files for an administrator to deploy; say where: --emit DIR")
	case !machine && (e.dir != "" || e.os != ""):
		return false, cli.Usagef("--emit and --os are for --scope machine")
	default:
		return machine, nil
	}
}

func (e *emitting) run(cmd *cobra.Command, f *wiringFlags) error {
	goos := cmp.Or(e.os, runtime.GOOS)
	if goos == "macos" {
		goos = "darwin"
	}
	if install.DefaultHook[goos] == "" {
		return cli.Usagef("--os is %q, expected linux, macos or windows", e.os)
	}
	list, err := install.Managed(goos, cmp.Or(f.hook, install.DefaultHook[goos]))
	if err != nil {
		return err
	}
	more, err := install.DeviceManagement(goos, list)
	if err != nil {
		return err
	}
	list = append(list, more...)
	out, written := cli.Shown(cmd, *f.json), []changeJSON{}
	for i := range list {
		m := &list[i]
		rel := strings.TrimPrefix(strings.ReplaceAll(strings.Replace(m.Path, ":", "", 1), `\`, "/"), "/")
		path := filepath.Join(e.dir, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := files.Replace(path, m.Data); err != nil {
			return err
		}
		if err := os.Chmod(path, 0o644); err != nil { // agents refuse files that others can write, and every user must be able to read it
			return err
		}
		fmt.Fprintf(out, "%s: %s%s\n", m.Host, path, destination(m.Path))
		written = append(written, changeJSON{m.Host, path, "create", ""})
	}
	fmt.Fprintln(out, install.Deployed(goos))
	if *f.json {
		return cli.JSON(cmd.OutOrStdout(), map[string]any{"applied": true, "files": written})
	}
	return nil
}

// destination says where a file belongs; those for device management have no place of their own.
func destination(path string) string {
	if !strings.ContainsAny(path, `/\`) {
		return ""
	}
	return ", for " + path
}
