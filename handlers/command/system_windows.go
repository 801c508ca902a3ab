package command

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/internal/procgroup"
)

// harmless reports whether every program may see a variable. Without some of
// these, most programs do not start.
func harmless(name string) bool {
	switch name = strings.ToUpper(name); name {
	case "PATH", "PATHEXT", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "TEMP", "TMP", "USERPROFILE", "USERNAME", "USERDOMAIN",
		"HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "NUMBER_OF_PROCESSORS",
		"PROCESSOR_ARCHITECTURE", "HOME", "LANG", "TERM", "SHELL":
		return true
	}
	return strings.HasPrefix(name, "LC_")
}

// shell makes cmd run a line. cmd.exe takes its line word for word: quoting it
// as other programs expect would change it.
func shell(cmd *procgroup.Command, kind, line string) {
	system := filepath.Join(os.Getenv("SYSTEMROOT"), "System32")
	if kind == "powershell" {
		program := filepath.Join(system, "WindowsPowerShell", "v1.0", "powershell.exe")
		cmd.Args = []string{program, "-NoProfile", "-NonInteractive", "-Command", line}
		return
	}
	program := filepath.Join(system, "cmd.exe")
	cmd.Args = []string{program}
	cmd.Line = `cmd.exe /D /S /C "` + line + `"`
}

// quote quotes a path for the shell.
func quote(path string) string { return `"` + path + `"` }
