// Package guess says what texts in code are for, and reads code of languages that are
// not known.
package guess

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/host"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// Read reads code in an unknown language: each quoted text, by the word before it.
// A path after a word like delete is deleted, one after a word like read is read.
// A text that looks like a command line is run, wherever it is. Everything else
// that the code does remains a doubt.
func Read(h host.Host, language, text string) {
	text = recipes.Constants(recipes.AtHome(strings.ReplaceAll(text, "${CMAKE_COMMAND}", "cmake")))
	for _, line := range recipes.CommandsIn(text) {
		h.Shell(line, nil)
	}
	for _, line := range recipes.ArgumentLists(text) {
		h.Shell(line, nil)
	}
	if words := recipes.Task(text); len(words) > 0 {
		h.Start(Words(h, words), host.Start{})
	}
	for i := 0; i < len(text); i++ {
		quote := text[i]
		if quote != '"' && quote != '\'' && quote != '`' {
			continue
		}
		body, n := recipes.Quoted(text[i+1:], quote)
		if n < 0 {
			continue
		}
		guessed(h, recipes.VerbBefore(text[:i]), recipes.VerbBehind(text[i+1+n:]), body)
		i += n
	}
	Secrets(h, text)
	Interfaces(h, text)
	joined(h, text)
	if recipes.Mentions(text, environments...) {
		h.Env("*")
		const file = "/proc/self/environ"
		h.File(model.File{Op: model.Read, Code: true, Path: model.Path{Text: "environment", Abs: file, Real: file}})
		addresses(h, text)
	}
	if recipes.Controlled(text) || recipes.FetchesCode(text) {
		h.Code(model.Code{Language: "shell", Origin: model.Network})
	}
	for field := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'(){},;=", r) }) {
		if machine, file, ok := strings.Cut(strings.TrimPrefix(field, `\\`), `\`); ok && strings.HasPrefix(field, `\\`) && machine != "." &&
			strings.HasSuffix(strings.ToLower(file), ".dll") { // REGSVR \\machine\share\x.dll
			h.Code(model.Code{Language: language, Origin: model.Network})
		}
	}
	if recipes.SweepsHome(text) {
		guessed(h, "delete", "", "~")
	}
	for _, home := range homes {
		if at := strings.Index(text, home); at >= 0 {
			guessed(h, recipes.VerbBefore(text[:at]), recipes.VerbBehind(text[at+len(home):]), "~")
			if open := strings.LastIndexByte(text[:at], '('); open > 0 { // removeItem(at: a.b.home)
				guessed(h, recipes.VerbBefore(text[:open+1]), "", "~")
			}
		}
	}
	h.Code(model.Code{Language: language, Text: text, Origin: model.Inline})
	if language == "unknown" || !computes(text) {
		h.Doubt("code", text)
	}
}

// computes reports whether code only computes something from numbers and prints it, in
// whatever language: IO.puts(1+1), (display (+ 1 2)).
func computes(text string) bool {
	const names = "abcdefghijklmnopqrstuvwxyz_IO"
	if len(text) > 200 || !strings.ContainsAny(text, "0123456789") || strings.Trim(text, "0123456789.,;:()+-*/%^<>= \n"+names) != "" {
		return false
	}
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return !strings.ContainsRune(names, r) }) {
		switch name {
		case "print", "println", "puts", "display", "IO", "inspect", "print_int", "print_float", "writeln", "sum", "max", "min", "abs", "sqrt":
		default:
			return false
		}
	}
	return true
}

// environments is how languages call all variables at once.
var environments = []string{"System.get_env()", "System.getenv()", "os.Environ()", "env::vars()", "processInfo.environment",
	"getEnvironment", "envPairs()", "char **environ", "char** environ", "char *envp[]", "char **envp"}

// addresses lists the addresses in a text as hosts that are sent something: code that
// takes all variables and names an address does so for it.
func addresses(h host.Host, text string) {
	for field := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`(){}<>,;|$", r) }) {
		if strings.HasPrefix(field, "http://") || strings.HasPrefix(field, "https://") {
			h.URL(model.Word{Text: field, Known: true}, true)
		}
	}
}

// homes is how languages call the home directory.
var homes = [...]string{"homedir()", "$HOME", "$ENV{HOME}", "getenv(HOME)", "user.home", "System.user_home", "NSHomeDirectory()",
	"homeDirectoryForCurrentUser", "getHomeDirectory", "os.home", "getHomeDir()", "(user-homedir-pathname)", "(find-system-path 'home-dir)"}

// joined lists secrets at home whose paths the code puts together of several texts:
// filepath.Join(home, ".aws", "credentials").
func joined(h host.Host, text string) {
	home := strings.Contains(text, `"~`)
	for _, name := range homes {
		home = home || strings.Contains(text, name)
	}
	for i := 0; i < len(text) && home; i++ {
		path := "~"
		for parts := 0; i < len(text) && (text[i] == '"' || text[i] == '\''); parts++ {
			body, n := recipes.Quoted(text[i+1:], text[i])
			if body = strings.TrimPrefix(strings.Trim(body, "/"), "~/"); n < 0 {
				break
			}
			if parts == 0 && !strings.HasPrefix(body, ".") {
				i += n + 1
				break
			}
			path += "/" + body
			p := h.Resolve(model.Word{Text: Tilde(h, path), Known: true})
			if ground := (paths.Ground{}); ground.Secret(p) {
				h.File(model.File{Op: model.Read, Code: true, Path: p})
			}
			i += n + 1
			i += len(text[i:]) - len(strings.TrimLeft(text[i:], " ,+/"))
		}
	}
}

// Secrets lists the secrets that a text names as read, wherever they stand, and as
// written if it writes anything: most languages have more ways to open a file
// than anybody knows.
func Secrets(h host.Host, text string) {
	writes := recipes.WritesFiles(text)
	for field := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`(){}<>,;=|", r) }) {
		if len(field) < 4 || field[0] != '/' && !strings.HasPrefix(field, "~/") {
			continue
		}
		p := h.Resolve(model.Word{Text: Tilde(h, field), Known: true})
		if ground := (paths.Ground{}); ground.Secret(p) {
			h.File(model.File{Op: model.Read, Code: true, Path: p})
		}
		if writes && (strings.Contains(field, "/.") || strings.HasPrefix(field, "/etc/")) {
			h.File(model.File{Op: model.Write, Code: true, Path: p})
		}
	}
}

// guessed lists what a text in quotes is, by the words around it.
func guessed(h host.Host, verb, behind, text string) {
	path := strings.TrimSpace(text)
	verb += "." + behind
	place := func() model.Path { return h.Resolve(model.Word{Text: Tilde(h, path), Known: true}) }
	switch {
	case path == "":
	case strings.ContainsAny(path, " |;&") && !strings.Contains(path, "://"):
		if !recipes.IsCommand(path) && recipes.Means(verb, "system", "shell", "exec", "cmd", "command", "spawn", "popen", "run", "sh", "bash") {
			h.Shell(path, nil)
		}
	case strings.Contains(path, "://"):
		h.URL(model.Word{Text: path, Known: true}, recipes.Means(verb, "post", "put", "upload", "send", "request"))
	case !strings.ContainsAny(path[:1], "/~.") && !strings.Contains(path, "/"):
	case recipes.Means(verb, "rm", "rmtree", "rmrf", "unlink", "delete", "remove", "erase", "destroy", "del", "wipe", "deltree", "rmdir",
		"trash"):
		h.File(model.File{Op: model.Delete, Tree: true, Code: true, Path: place()})
	case recipes.Means(verb, "write", "save", "spit", "dump", "create", "truncate", "append", "output"), strings.HasPrefix(verb, "download"),
		strings.HasPrefix(verb, "file.") && strings.Contains(behind, "content"):
		h.File(model.File{Op: model.Write, Code: true, Path: place()})
	case strings.HasPrefix(path, "/"), recipes.Means(verb, "read", "open", "load", "slurp", "include", "cat", "file", "input", "import",
		"view", "upload", "attach", "source"):
		h.File(model.File{Op: model.Read, Code: true, Path: place()})
	}
}

// Words are the words of a program that code starts.
func Words(h host.Host, texts []string) (out []model.Word) {
	for _, text := range texts {
		out = append(out, model.Word{Text: Tilde(h, text), Known: true})
	}
	return out
}

// Tilde puts the home directory in the place of a ~ in front.
func Tilde(h host.Host, path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") {
		return h.Home() + path[1:]
	}
	return path
}

// Inet reads the name under which gawk opens a connection: /inet/tcp/0/host/port.
func Inet(name string) (host, port string, ok bool) {
	parts := strings.Split(name, "/")
	if len(parts) < 6 || parts[0] != "" || !strings.HasPrefix(parts[1], "inet") {
		return "", "", false
	}
	return strings.ToLower(parts[4]), parts[5], true
}

// OnlyNames reports whether the name of a function or parameter says that a file
// is only mentioned, or used to log in.
func OnlyNames(name string) bool {
	name = strings.ToLower(name[strings.LastIndexAny(name, ".#:>")+1:])
	for _, sign := range [...]string{"exist", "is_", "isfile", "isdir", "stat", "print", "log", "echo", "puts", "say", "warn", "err", "debug",
		"info", "assert", "equal", "expect", "with", "match", "test", "argument", "option", "default", "field", "help", "key", "cert",
		"credential", "connect", "login", "auth", "ssh", "join", "format", "includes", "contains"} {
		if strings.Contains(name, sign) {
			return true
		}
	}
	return name == "get" || name == "set" || name == "append" || name == "push"
}

// HostOf is the host of a text of settings: host=db user=me, pgsql:host=db;dbname=x.
func HostOf(text string) string {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == ';' }) {
		name, value, _ := strings.Cut(part, "=")
		switch strings.ToLower(name[strings.IndexByte(name, ':')+1:]) {
		case "host", "hostaddr", "server":
			host, _, _ := strings.Cut(strings.TrimPrefix(value, "tcp:"), ",") // SQL Server's port
			return strings.Trim(host, "'\"{}")
		}
	}
	return ""
}
