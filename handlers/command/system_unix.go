//go:build unix

package command

import (
	"strings"

	"github.com/trammel-dev/trammel/internal/procgroup"
)

// harmless reports whether every program may see a variable.
func harmless(name string) bool {
	switch name {
	case "PATH", "HOME", "LANG", "TMPDIR", "TERM", "USER", "SHELL":
		return true
	}
	return strings.HasPrefix(name, "LC_")
}

// shell makes cmd run a line.
func shell(cmd *procgroup.Command, kind, line string) {
	if kind == "powershell" {
		cmd.Args = []string{"pwsh", "-NoProfile", "-NonInteractive", "-Command", line}
		return
	}
	cmd.Args = []string{"/bin/sh", "-c", line}
}

// quote quotes a path for the shell.
func quote(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }
