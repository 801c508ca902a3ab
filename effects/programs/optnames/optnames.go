// Package optnames says what an option or a program is for by its name alone. It is
// used for those that the table does not list: most use the same words.
package optnames

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Outputs reports whether the value of an option is written.
func Outputs(option string) bool {
	if option == "" || option[0] != '-' {
		return option == "of"
	}
	switch name := strings.ReplaceAll(strings.ToLower(strings.TrimLeft(option, "-")), "_", "-"); name {
	case "o", "log", "save", "save-to", "save-as", "dest", "dest-dir", "destdir", "destination", "target",
		"target-dir", "target-directory", "download-dir", "install-dir", "extract-to", "export-to", "write-to",
		"junitxml", "junit-xml", "report-dir", "write", "targetdir", "destination-dir",
		"cpuprofile", "memprofile", "logdir", "log-dir", "errorlog", "error-log", "stdout", "stderr", "download-archive":
		return true
	default:
		return strings.HasPrefix(name, "out") || strings.HasSuffix(name, "-out") || strings.HasSuffix(name, "output") ||
			strings.HasPrefix(name, "write-") && !strings.HasSuffix(name, "format") ||
			slices.ContainsFunc([]string{"log", "pid", "lock", "out", "save", "dump", "trace", "stats", "history", "debug", "dest",
				"report", "backup", "cache", "state"}, func(what string) bool {
				before, ok := strings.CutSuffix(strings.TrimSuffix(name, "s"), "file")
				return ok && strings.HasSuffix(strings.TrimSuffix(before, "-"), what)
			})
	}
}

// Roots reports whether the value of an option is a folder in which the program works, even
// if it is just a slash.
func Roots(option string) bool {
	name := strings.ToLower(option)
	return option == "-C" || Places(option) || strings.HasSuffix(name, "root") || strings.HasSuffix(name, "tree") ||
		strings.HasSuffix(name, "prefix") || strings.HasSuffix(name, "chdir")
}

// Places reports whether the value of an option that is written can only be a place,
// and no format.
func Places(option string) bool {
	for _, end := range [...]string{"dir", "directory", "path", "file", "folder", "_out", "xml", "destination"} {
		if strings.HasSuffix(strings.ToLower(option), end) {
			return true
		}
	}
	return false
}

// Executes reports whether the value of an option is a command.
func Executes(option string) bool {
	switch strings.TrimLeft(option, "-") {
	case "c", "command", "cmd", "exec", "execute", "eval", "to-command", "rsh", "pager", "editor", "use-compress-program", "run", "shell",
		"password-command", "proxy-command", "preview", "checkpoint-action", "up", "pre-command", "post-command", "on-change", "script":
		return true
	}
	return strings.HasSuffix(option, "-hook") || strings.HasPrefix(option, "--on-")
}

// Statement reports whether the value of an option may be a statement for a database.
func Statement(option string) bool {
	switch strings.ToLower(strings.TrimLeft(option, "-")) {
	case "c", "e", "q", "s", "command", "cmd", "exec", "execute", "eval", "query", "sql", "cql", "statement", "stmt", "gql", "cypher":
		return option[0] == '-'
	}
	return false
}

// Shouts reports whether a text begins with two words in capital letters, as statements do.
func Shouts(text string) bool {
	words := strings.Fields(text[:min(len(text), 80)])
	return len(words) > 1 && slices.IndexFunc(words[:2], func(word string) bool {
		return len(word) < 3 || strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ;") != ""
	}) < 0
}

// Reads reports whether the value of an option can only be a file that is read.
func Reads(option string) bool {
	name := strings.ToLower(strings.TrimLeft(option, "-"))
	switch option {
	case "-i", "-I", "-c", "-r":
		return true
	}
	return LogsIn(option) || slices.ContainsFunc([]string{"in", "input", "infile", "from", "read", "include", "exclude", "ignore", "load",
		"source", "conf", "cfg", "rc", "check", "pattern", "list", "template", "password", "compare", "reference"}, func(word string) bool {
		return name == word || len(word) > 2 && strings.Contains(name, word) || strings.HasPrefix(name, word+"-") || strings.HasSuffix(name, word)
	})
}

// Program reports whether the value of an option is a program that is run in place of
// another one, or at some moment. What --run chooses is mostly one of many tests.
func Program(option string) bool {
	name := strings.ToLower(strings.TrimLeft(option, "-"))
	ends := func(end string) bool { return strings.HasSuffix(name, end) }
	return len(name) > 1 && name != "run" && (Executes(option) || slices.ContainsFunc([]string{"program", "command", "cmd", "binary", "exec",
		"executable", "helper", "handler", "hook", "script", "editor", "pager", "viewer", "browser", "wrapper", "askpass", "launcher",
		"linker", "compiler"}, ends))
}

// Runs reports whether the value of an option may be a command, because it says when
// something happens: --after 'make clean'.
func Runs(option string) bool {
	name := strings.ToLower(strings.TrimLeft(option, "-"))
	return Program(option) || slices.ContainsFunc([]string{"after", "before", "post", "pre", "then", "hook", "trigger", "callback", "on",
		"notify", "action", "task", "each", "finally", "cleanup", "launch", "spawn"}, func(word string) bool {
		return name == word || strings.HasPrefix(name, word+"-") || strings.HasSuffix(name, "-"+word)
	})
}

// Burns reports whether a word says that a disk is written.
func Burns(word string) bool {
	switch strings.ToLower(strings.TrimLeft(word, "-")) {
	case "write", "flash", "burn", "format", "erase", "wipe", "install", "restore", "clone", "overwrite", "clean", "zap", "init", "partition",
		"secure-erase", "image", "provision":
		return true
	}
	return false
}

// Starts reports whether a word tells a program to do what a file says.
func Starts(word string) bool {
	switch word {
	case "run", "start", "exec", "execute", "eval", "apply", "deploy", "up", "build", "make", "import", "install", "load", "submit", "job",
		"play", "restore", "launch", "invoke", "test", "source", "script":
		return true
	}
	return false
}

// RunsFile reports whether a long option may name a file that is run. --input and
// --deps-file do not.
func RunsFile(option string) bool {
	return Scripts(option) || slices.ContainsFunc([]string{"script", "exec", "run", "init", "rc", "load", "plugin", "hook", "eval", "require",
		"config", "command", "program", "rule", "source"}, func(part string) bool { return strings.Contains(strings.ToLower(option), part) })
}

// Scripts reports whether the value of an option can only be code, or a file or an
// address of code.
func Scripts(option string) bool {
	name := strings.ToLower(strings.TrimLeft(option, "-"))
	switch name {
	case "code", "eval", "require", "preload", "macro", "plugin", "plugins":
		return true
	}
	return strings.HasSuffix(name, "script") || strings.HasSuffix(name, "script-file") || strings.HasSuffix(name, "-plugin")
}

// LoadsCode reports whether an option names a file of code that the program loads:
// --formatter ./x.js.
func LoadsCode(option, value string) bool {
	name := strings.ToLower(strings.TrimLeft(option, "-"))
	switch {
	case name == "pyargs", name == "enable-exec", name == "shell" && value != "", strings.Contains(value, "-extld"),
		strings.HasSuffix(value, ".lua") && slices.Contains([]string{"t", "to", "w", "write", "f", "from", "r", "read"}, name),
		name == "override-ini" && strings.Contains(value, "-p"), // tests of an installed package, a plugin
		strings.HasSuffix(name, "plugin") && !strings.HasPrefix(name, "no") && value != "":
		return true
	}
	uses := slices.ContainsFunc([]string{"format", "report", "setup", "transform", "preset", "import", "preload", "parser", "runner",
		"extension", "module", "handler", "worker"}, func(part string) bool { return strings.Contains(name, part) })
	return (uses || RunsFile(option)) && slices.ContainsFunc([]string{".js", ".cjs", ".mjs", ".ts", ".py", ".rb", ".pl", ".lua", ".sh", ".so",
		".dylib", ".dll", ".jar", ".groovy", ".php"}, func(end string) bool { return strings.HasSuffix(strings.ToLower(value), end) })
}

// Lends reports whether the value of an option is, by the option's name, a program or
// code that is loaded: --module /tmp/x.so, --init-script x.
func Lends(option string) bool {
	name := strings.ToLower(strings.TrimLeft(option, "-"))
	for _, not := range [...]string{"cache", "log", "out", "list", "no-", "dump", "report", "state", "dir", "args", "version"} {
		if strings.Contains(name, not) {
			return false
		}
	}
	words := strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune("-_.:", c) })
	return strings.HasPrefix(option, "-") && (Program(option) || Scripts(option) || slices.ContainsFunc(words, func(word string) bool {
		switch strings.TrimSuffix(word, "s") {
		case "plugin", "fplugin", "module", "library", "lib", "preload", "extension", "engine", "provider", "hook", "startup", "rcfile",
			"askpass", "driver", "loader", "agent", "agentpath", "javaagent", "addon", "opener", "compiler", "linker", "interpreter",
			"loadable", "prepend", "rsh", "modulepath", "loadmodule":
			return true
		}
		return false
	}))
}

// Shows reports whether a sub-command only shows something.
func Shows(verb string) bool {
	switch verb {
	case "list", "ls", "show", "get", "describe", "view", "status", "logs", "info", "search", "history", "top", "diff", "version", "help":
		return true
	}
	return false
}

// Message reports whether the value of an option is a text for people.
func Message(option string) bool {
	switch strings.TrimLeft(option, "-") {
	case "m", "message", "msg", "t", "text", "title", "b", "body", "s", "summary", "subject", "d", "description", "desc", "comment", "n",
		"notes", "note", "label", "reason", "prompt", "p", "name", "q", "query", "changelog", "grep", "pattern", "regexp", "regex", "match",
		"search", "arg", "env":
		return option[0] == '-'
	}
	return false
}

// Unchecked reports whether an option makes a program talk to whoever answers.
func Unchecked(option, value string) bool {
	switch strings.TrimLeft(option, "-") {
	case "o": // of ssh
		known := []string{"stricthostkeychecking=no", "stricthostkeychecking=off", "userknownhostsfile=/dev/null"}
		return slices.Contains(known, strings.ToLower(value))
	case "insecure", "no-check-certificate", "no-verify-ssl", "insecure-skip-tls-verify", "no-ssl-verify", "ssl-no-verify",
		"no-tls-verify", "tls-skip-verify", "skip-tls-verify", "no-verify-tls", "trusted-host":
		return true
	}
	return false
}

// Unconfined reports whether an option lets what runs in a container out of it.
func Unconfined(option, value string) bool {
	switch strings.TrimLeft(option, "-") {
	case "privileged", "cap-add", "security-opt", "device-cgroup-rule":
		return true
	case "pid", "ipc", "uts", "userns", "cgroupns":
		return value == "host"
	}
	return false
}

// Content reports whether the value of an option is what is sent, and not where to.
func Content(option string) bool {
	name := strings.ToLower(strings.TrimLeft(option, "-"))
	return strings.HasPrefix(name, "data") || strings.HasPrefix(name, "form") || slices.Contains([]string{"json", "header", "referer",
		"user-agent", "raw", "field", "raw-field", "post-data", "body-data", "variable", "env", "label", "annotation"}, name)
}

// Hosts reports whether the value of an option is a host that is talked to.
func Hosts(option string) bool {
	switch strings.ToLower(strings.TrimLeft(option, "-")) {
	case "host", "hostname", "server", "endpoint", "endpoints", "broker", "brokers", "bootstrap-server", "bootstrap-servers", "address",
		"addr", "http-addr", "proxy", "registry", "remote-host", "db-host", "connect":
		return true
	}
	return false
}

// Sends reports whether the value of an option is where something is sent.
func Sends(option string) bool {
	switch strings.ToLower(strings.TrimLeft(option, "-")) {
	case "to", "dst", "dest", "destination", "target", "remote", "recipient", "rcpt", "upload-to":
		return true
	}
	return false
}

// Code reports whether the value of an option is where a program gets code from that it
// installs or applies.
func Code(option string) bool {
	switch strings.ToLower(strings.TrimLeft(option, "-")) {
	case "f", "file", "filename", "r", "requirement", "e", "editable", "k", "kustomize", "git", "manifest", "from", "spec", "template",
		"install-extension", "from-module", "m", "mod", "module", "package", "p", "url", "manifest-url", "box-url", "pluginurl",
		"flake", "trust", "apply", "bootstrap", "no-input", "sdeps", "git-url":
		return true
	}
	return false
}

// LogsIn reports whether an option names a file that is used, and not shown:
// --key, --var-file=x.
func LogsIn(option string) bool {
	if option == "" || option[0] != '-' {
		return false
	}
	name, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(option, "-")), "=")
	for _, word := range [...]string{"key", "cert", "env-file", "var-file", "kubeconfig", "identity", "credential", "netrc", "password-file",
		"service-account", "secret-file", "token-file", "state"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// KeepsSecrets reports whether a program is a store of secrets.
func KeepsSecrets(program string) bool {
	for _, sign := range [...]string{"vault", "secret", "passw", "passbolt", "keychain", "keyring", "keepass", "1pass", "credential",
		"enpass", "pwsafe", "onepass", "apikey"} {
		if strings.Contains(program, sign) {
			return true
		}
	}
	switch Stem(program) {
	case "pass", "token", "tokens", "cred", "creds", "wallet", "kms":
		return true
	}
	return strings.HasSuffix(program, "-keys") || strings.HasPrefix(program, "pass-") ||
		strings.HasSuffix(program, "-pass") || strings.Contains(program, "-pass-")
}

// Split returns the option that an argument is the value of, or belongs to, and the value:
// --module=x, --module x, -fplugin=x, -B/dir.
func Split(args []model.Word, at int) (option, value string) {
	text := args[at].Text
	if strings.HasPrefix(text, "-") {
		if name, value, ok := strings.Cut(text, "="); ok {
			return name, value
		}
		if slash := strings.IndexByte(text, '/'); slash > 0 {
			return text[:slash], text[slash:]
		}
		return text, ""
	}
	if at > 0 && strings.HasPrefix(args[at-1].Text, "-") && strings.IndexByte(args[at-1].Text, '=') < 0 {
		return args[at-1].Text, text
	}
	return "", ""
}
