package recipes

import (
	"slices"
	"strings"
)

// WritesFiles reports whether a text of any language writes some file.
func WritesFiles(text string) bool {
	return Mentions(strings.ToLower(text), "write", "save", "download", "o_creat", "content", "\"w\"", "'w'", "\"a\"", "append", "dump")
}

// Controlled reports whether a text takes lines from a host and runs them.
func Controlled(text string) bool {
	return Mentions(text, "socket", "Socket", "connect(", "Dial(") &&
		Mentions(text, "receive", "gets ", "readline", "recv", "read_line", "accept", "readLine", "Stdin") &&
		Mentions(text, "popen", "exec", "eval", "system", "run(", "spawn", "Process", "`sh ", "`bash ", "os:cmd", "shell")
}

// FetchesCode reports whether a text takes code from an address and runs it: in one
// statement, as in include(download("https://…")), or with a name for what was fetched:
// x = get("https://…"); eval_string(x).
func FetchesCode(text string) bool {
	if Mentions(text, "http://", "https://", "ftp://") && evaluates(text) {
		return true
	}
	for statement := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		if Mentions(statement, "http://", "https://", "ftp://") && Mentions(statement, "eval", "EVAL", "include(", "source(", "source <", "exec(",
			"load(", "load-string", "(load ", "loadstring", "load_string", "do_string", "dostring", "URLClassLoader", "defineClass", "Assembly.Load",
			"instantiate", "import(", "run(download", "run script", "compile(", "runString", "parseString", "load-file") {
			return true
		}
	}
	return false
}

// evaluates reports whether a text runs what a name stands for: eval_string(o),
// os:cmd(B), (eval x).
func evaluates(text string) bool {
	for _, sign := range [...]string{"eval_string(", "eval_quoted(", "Code.eval(", "compile_string(", "os:cmd(", "erl_eval",
		"erl_scan:string(", "include_string(", "Meta.parse(", "(eval (read", "(eval-string ", "(load-string ",
		"(primitive-eval ", "evaluate(", "ScriptEngine", "GroovyShell(", "CSharpScript", "Mix.install(", "Pkg.add(",
		"Pkg.develop(", "System.cmd(", ":os.cmd("} {
		for rest := text; ; {
			_, behind, ok := strings.Cut(rest, sign)
			if !ok {
				break
			}
			rest = behind
			if fetch := strings.HasPrefix(sign, "Mix.") || strings.HasPrefix(sign, "Pkg."); fetch {
				call, _, _ := strings.Cut(behind, ")")
				if Mentions(call, "://") {
					return true
				}
			} else if strings.HasSuffix(sign, "cmd(") && (strings.HasPrefix(behind, `"`) || strings.HasPrefix(behind, "'")) {
				continue // a command that can be read
			} else if !strings.HasPrefix(behind, `"`) && !strings.HasPrefix(behind, "'") {
				return true
			}
		}
	}
	return false
}

// SweepsHome reports whether a text goes through all of the home directory, in code in
// which AtHome has written ~ for it, and removes or empties what it finds.
func SweepsHome(text string) bool {
	if !Mentions(strings.ToLower(text), "delete", "remove", "truncate", "unlink", "write", "rm(", "wipe") {
		return false
	}
	for _, walk := range [...]string{"Files.walk(", "WalkDir(", "filepath.Walk(", "file-seq ", "readdir(", "walkdir(", "WalkDir::new(",
		"EnumerateFiles(", "Directory.GetFiles(", "enumerator(atPath:", "walkDirRec(", "Path.wildcard(", "eachFileRecurse", "walkTopDown(",
		"listFiles(", "FileUtils.listFiles("} {
		for rest := text; ; {
			_, behind, ok := strings.Cut(rest, walk)
			if !ok {
				break
			}
			first := behind[:min(len(behind), maxGap)]
			if at := strings.IndexAny(first, ",;{\n"); at >= 0 {
				first = first[:at]
			}
			if Mentions(first, `"~"`, "homedir()", "NSHomeDirectory()", `"~/*`, `"~/**`) {
				return true
			}
			rest = behind
		}
	}
	return false
}

// Fetches reports whether a command line prints what a host sends.
func Fetches(line string) bool {
	first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	return Mentions(rest, "://") && strings.Contains(" curl wget curlie http https xh fetch lynx w3m aria2c GET lwp-request ", " "+first+" ")
}

// DataURL is the text that an address holds itself: data:text/javascript,x().
func DataURL(address string) (text string, ok bool) {
	for _, scheme := range [...]string{"javascript:", "vbscript:"} {
		if text, ok := strings.CutPrefix(address, scheme); ok {
			return text, true
		}
	}
	head, text, ok := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(address, "data:"), "//"), ",")
	if !ok || !strings.HasPrefix(address, "data:") {
		return "", false
	}
	text = unpercent(text)
	if strings.HasSuffix(head, ";base64") {
		return Decode("base64", text)
	}
	return text, true
}

// Mentions reports whether one of several signs stands in a text.
func Mentions(text string, signs ...string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(text, sign) })
}

// ReachesOut reports whether a text names something outside of the project.
func ReachesOut(text string) bool {
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, `"'`)
		if strings.HasPrefix(word, "/") && !strings.HasPrefix(word, "/tmp/") || strings.HasPrefix(word, "~") ||
			strings.HasPrefix(word, "$HOME") ||
			strings.HasPrefix(word, "${HOME") || strings.HasPrefix(word, "..") {
			return true
		}
	}
	return false
}

// ShellHook reports whether a shell calls a function of that name by itself.
func ShellHook(name string) bool {
	switch name {
	case "command_not_found_handle", "command_not_found_handler", "preexec", "precmd", "chpwd", "periodic", "zshexit", "zshaddhistory":
		return true
	}
	return strings.HasPrefix(name, "TRAP")
}
