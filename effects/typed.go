package effects

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/languages"
)

// terminal reports whether a tool, by its name and its server's, has to do with a
// program that an earlier call has opened, and whether it types its text there:
// write_bash, write_stdin, send_to_terminal, interact_with_process, send_keys.
func terminal(call *trammel.ToolCall) (has, types bool) {
	for word := range words(call.Action.Server + "_" + nameOf(call)) {
		switch word {
		case "file", "files", "document", "read", "get", "list", "capture", "wait", "search":
			return false, false
		case "write", "send", "type", "input", "interact", "feed", "paste":
			types = true
		case "bash", "powershell", "pwsh", "stdin", "terminal", "process", "shell", "repl", "console", "tty", "pty", "pane", "keys", "tmux",
			"zellij", "iterm":
			has = true
		}
	}
	switch call.Input["action"] { // process {"action": "write"}
	case "write", "send", "type", "input", "send-keys", "submit", "paste":
		types = true
	}
	return has, has && types
}

// saysWhere reports whether an argument of such a tool says which program is meant.
func saysWhere(name string) bool {
	for word := range words(name) {
		switch word {
		case "id", "pid", "session", "pane", "window", "tab", "target", "name", "terminal", "description":
			return true
		}
	}
	return false
}

// typed lists what happens if a text is typed into an open program.
func (r *reading) typed(text string) { r.Code(r.set, languages.Typed, text) }
