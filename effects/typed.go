package effects

import "github.com/trammel-dev/trammel/effects/languages"

// typesInto reports whether a tool types its text into a program that was opened by
// an earlier call: write_bash, write_stdin, send_to_terminal, interact_with_process,
// send_keys.
func typesInto(tool string) bool {
	types, open := false, false
	for word := range words(tool) {
		switch word {
		case "write", "send", "type", "input", "interact", "feed", "paste":
			types = true
		case "bash", "powershell", "pwsh", "stdin", "terminal", "process", "shell", "repl", "console", "tty", "pty", "pane", "keys", "tmux":
			open = true
		}
	}
	return types && open
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
