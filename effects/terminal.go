package effects

import (
	"strings"

	"github.com/trammel-dev/trammel"
)

// intoTerminal reports whether a tool types what it is given into a terminal, by its name and
// that of its server.
func intoTerminal(call *trammel.ToolCall) bool {
	for word := range words(call.Action.Server + "_" + nameOf(call)) {
		switch word {
		case "terminal", "tmux", "shell", "console", "pty", "tty", "zellij", "iterm", "bash", "repl":
			return call.Action.Kind == trammel.MCPAction || call.Action.Kind == trammel.OtherAction
		}
	}
	return false
}

// shellOf is the shell that a list of arguments without a program is for: -c LINE.
func shellOf(first string) []string {
	switch strings.ToLower(first) {
	case "-c", "-lc", "-ic":
		return []string{"sh"}
	case "/c", "/k":
		return []string{"cmd"}
	case "-command", "-encodedcommand":
		return []string{"powershell"}
	}
	return nil
}

// settingOf is the name of a setting that an object gives a value: {"key": "core.editor",
// "value": "vim"}.
func settingOf(m map[string]any) string {
	if m["value"] == nil {
		return ""
	}
	for _, field := range [...]string{"key", "setting", "variable", "option", "name", "property"} {
		if name, _ := m[field].(string); name != "" && len(name) < 80 && !strings.ContainsAny(name, " \n") {
			return name
		}
	}
	return ""
}

// forWindows reports whether a line starts a program of Windows with a path of Windows, in which
// a backslash is no escape. In a list of arguments that was made a line, it is in quotes.
func forWindows(line string) bool {
	if strings.IndexByte(line, '\'') >= 0 {
		return false
	}
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(line)), " ")
	first = strings.TrimSuffix(first[strings.LastIndexAny(first, `/\`)+1:], ".exe")
	switch strings.Trim(first, `"`) {
	case "cmd", "powershell", "pwsh", "reg", "schtasks", "robocopy", "xcopy", "wmic", "sc", "net", "netsh", "vssadmin", "bcdedit", "wevtutil",
		"certutil", "icacls", "takeown", "rundll32", "mshta", "regsvr32", "msiexec", "attrib", "diskpart", "del", "rd", "rmdir", "erase":
		return strings.Contains(line, `:\`) || strings.HasPrefix(first, "cmd") && strings.Contains(line, " /")
	}
	return false
}
