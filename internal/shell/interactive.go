package shell

import "strings"

// Interactive reports whether the command opens something that then takes
// commands of its own: a bare shell, an interpreter, a client, an editor. What
// is typed into it later may never be asked about again, so this is the last
// chance to decide.
func (c *Command) Interactive() bool {
	switch c.Program {
	case "bash", "sh", "zsh", "dash", "ksh", "fish", "ash", "csh", "tcsh", "pwsh", "powershell", "cmd":
		return !c.runsScript("-c", "-Command", "/c", "/C", "-File", "-s")
	case "python", "python2", "python3", "ipython", "node", "deno", "bun", "ruby", "perl", "php", "lua", "julia", "R", "tclsh", "guile",
		"sbcl", "erl", "iex":
		return c.has("-i", "--interactive", "-a") || !c.runsScript("-c", "-e", "-E", "-m", "-r", "-p", "--eval", "--print", "--version", "-V",
			"-v", "--help", "-h")
	case "irb", "ghci", "scala", "jshell", "gdb", "lldb", "bc", "dc", "ftp", "sftp", "telnet", "screen", "tmux", "vi", "vim", "nvim",
		"emacs", "nano", "ed", "ex":
		return !c.has("-c", "-batch", "--batch", "--version", "--help", "-d", "new-session")
	case "psql", "mysql", "mariadb", "sqlite3", "redis-cli", "mongosh", "mongo":
		return !c.has("-c", "-e", "-f", "--command", "--execute", "--file", "--eval", "-l", "--version", "--help")
	case "ssh":
		return c.operands() < 2
	case "docker", "podman", "kubectl", "nerdctl":
		return c.has("-it", "-ti", "-i", "-t", "--interactive", "--tty") && c.has("exec", "run", "attach", "start", "debug")
	case "su", "login", "script", "expect":
		return !c.has("-c", "--command")
	}
	return false
}

// runsScript reports whether the command is given what to run: by one of the
// options, or by an operand.
func (c *Command) runsScript(options ...string) bool { return c.has(options...) || c.operands() > 0 }

func (c *Command) has(any ...string) bool { return c.Words().Has(any...) }

func (c *Command) operands() int {
	n := 0
	for _, w := range c.Args {
		if !strings.HasPrefix(w.Text, "-") {
			n++
		}
	}
	return n
}
