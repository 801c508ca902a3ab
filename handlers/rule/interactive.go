package rule

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/match"
)

// interactive reports whether a program opens something that then takes
// commands of its own: a bare shell, an interpreter, a client, an editor. What
// is typed into it later may never be asked about again, so this is the last
// chance to decide.
func interactive(w match.Words) bool {
	operands := 0
	for _, a := range w.Run.Args {
		if !strings.HasPrefix(a.Text, "-") {
			operands++
		}
	}
	script := func(options ...string) bool { return w.Has(options...) || operands > 0 }
	switch w.Run.Program {
	case "bash", "sh", "zsh", "dash", "ksh", "fish", "ash", "csh", "tcsh", "pwsh", "powershell", "cmd":
		return !script("-c", "-Command", "/c", "/C", "-File", "-s")
	case "python", "python2", "python3", "ipython", "node", "deno", "bun", "ruby", "perl", "php", "lua", "julia", "r", "tclsh", "guile",
		"sbcl", "erl", "iex":
		return w.Has("-i", "--interactive", "-a") || !script("-c", "-e", "-E", "-m", "-r", "-p", "--eval", "--print", "--version", "-V",
			"-v", "--help", "-h")
	case "irb", "ghci", "scala", "jshell", "gdb", "lldb", "bc", "dc", "ftp", "sftp", "telnet", "screen", "tmux", "vi", "vim", "nvim",
		"emacs", "nano", "ed", "ex":
		return !w.Has("-c", "-batch", "--batch", "--version", "--help", "-d", "new-session")
	case "psql", "mysql", "mariadb", "sqlite3", "redis-cli", "mongosh", "mongo":
		return !w.Has("-c", "-e", "-f", "--command", "--execute", "--file", "--eval", "-l", "--version", "--help")
	case "ssh":
		return operands < 2
	case "docker", "podman", "kubectl", "nerdctl":
		return w.Has("-it", "-ti", "-i", "-t", "--interactive", "--tty") && w.Has("exec", "run", "attach", "start", "debug")
	case "su", "login", "script", "expect":
		return !w.Has("-c", "--command")
	}
	return false
}
