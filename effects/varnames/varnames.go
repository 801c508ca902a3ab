// Package varnames says what a variable is for by its name alone: most programs use
// the same words, whoever has written them.
package varnames

import (
	"slices"
	"strings"
)

// Command reports whether a variable holds a command by its name.
func Command(name string) bool {
	return slices.ContainsFunc([]string{"OPENER", "EDITOR", "VISUAL", "PAGER", "BROWSER", "COMMAND", "CMD", "WRAPPER", "ASKPASS", "HOOK",
		"SHELL", "LAUNCHER", "RUNNER", "HANDLER", "EXEC"}, func(end string) bool { return strings.HasSuffix(strings.ToUpper(name), end) })
}

// Message reports whether a variable holds a text for people, which may well be about
// commands. ERROR_HOOK holds one; PROMPT_COMMAND is the shell's own, and read there.
func Message(name string) bool {
	if Command(name) && name != "PROMPT_COMMAND" {
		return false
	}
	for word := range strings.SplitSeq(strings.ToUpper(name), "_") {
		switch strings.TrimSuffix(word, "S") {
		case "MESSAGE", "MSG", "NOTE", "TITLE", "DESC", "DESCRIPTION", "TEXT", "COMMENT", "REASON", "SUMMARY", "BODY", "SUBJECT", "LABEL",
			"CHANGELOG", "PROMPT", "QUESTION", "QUERY", "PATTERN", "REGEX", "REGEXP", "HELP", "USAGE", "DOC", "WARNING", "ERROR", "GOAL":
			return true
		}
	}
	return false
}

// Loads reports whether a variable names by its name a program that others start, or
// code that they load. Folder says that it lists folders in which they look for it.
func Loads(name string) (folder, ok bool) {
	name = strings.ToUpper(name)
	switch name {
	case "PYTHONPATH", "PERL5LIB", "PERLLIB", "RUBYLIB", "NODE_PATH", "LUA_PATH", "LUA_CPATH", "CLASSPATH", "PYTHONUSERBASE",
		"PYTHONHOME", "EMACSLOADPATH", "PHP_INI_SCAN_DIR", "PHPRC", "TCLLIBPATH", "GCONV_PATH", "LD_LIBRARY_PATH",
		"DYLD_LIBRARY_PATH", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "DEVELOPER_DIR", "ZDOTDIR", "GTK_PATH", "TEXINPUTS",
		"TEXMFHOME", "R_LIBS", "R_LIBS_USER", "JULIA_LOAD_PATH", "ERL_LIBS", "ANSIBLE_LIBRARY", "OPENSSL_ENGINES",
		"DYLD_FRAMEWORK_PATH", "GEM_PATH", "PSMODULEPATH", "CURL_HOME":
		return true, true
	case "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES": // which are found wherever they are
		return false, false
	case "BASH_ENV", "ENV", "OPENSSL_CONF", "CC", "CXX", "LD", "AR", "CPP", "RUSTC", "RUSTDOC", "LINKER", "MAKE",
		// Settings that can name a program, a plug-in or where code comes from.
		"APT_CONFIG", "ANSIBLE_CONFIG", "TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG", "RIPGREP_CONFIG_PATH", "PSQLRC", "WGETRC", "HGRCPATH",
		"NPM_CONFIG_USERCONFIG", "NPM_CONFIG_GLOBALCONFIG", "PIP_CONFIG_FILE", "AWS_CONFIG_FILE", "SCREENRC", "MYVIMRC",
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "BAT_CONFIG_PATH", "JUPYTER_CONFIG_PATH", "UV_CONFIG_FILE":
		return false, true
	}
	for _, end := range [...]string{"EDITOR", "VISUAL", "PAGER", "ASKPASS", "BROWSER", "BREAKPOINT", "STARTUP", "HOOK", "HOOKS",
		"SHELL", "_RSH", "PRELOAD", "RUSTC", "PINENTRY"} {
		if strings.HasSuffix(name, end) {
			return false, true
		}
	}
	words := strings.Split(name, "_")
	has := func(list ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
	}
	switch last := words[len(words)-1]; {
	case has("CACHE", "LOG", "LOGS", "LOGFILE", "TMP", "TEMP", "TMPDIR", "DATA", "OUT", "OUTPUT", "OUTDIR", "STATE", "RESULT",
		"RESULTS", "REPORT", "REPORTS", "DUMP", "SOCKET", "SOCK", "PID", "PIDFILE", "VERSION"):
		return false, false
	case len(words) == 1:
		return false, false
	case has("PLUGIN", "PLUGINS", "MODULE", "MODULES", "EXTENSION", "EXTENSIONS", "LAYER", "LAYERS", "LIBRARY", "LIBRARIES", "ADDONS",
		"PROVIDERS", "ENGINES", "HOOKS", "FILTERS", "PROFILER"):
		return true, true
	case slices.Contains([]string{"PROGRAM", "COMMAND", "CMD", "EXEC", "EXE", "EXECUTABLE", "BINARY", "BIN", "HELPER",
		"WRAPPER", "LAUNCHER", "RUNNER", "LINKER", "COMPILER", "HANDLER", "SSH", "INTERPRETER", "PLUGIN", "MODULE", "PROVIDER",
		"DRIVER", "LOADER", "AGENT", "INIT", "RCFILE", "OPENER", "VIEWER", "GYP", "FILTER"}, last) && len(words) > 1:
		return false, true
	case last == "FILE" && has("STARTUP", "INIT", "TOOLCHAIN", "SCRIPT", "RC", "HOOK", "PASSWORD", "VAULT"):
		return false, true
	}
	return false, false
}

// Module is the file of the Python module that a variable names, or that has the function
// which it names: brk.py of PYTHONBREAKPOINT=brk.go, site/settings.py of DJANGO_SETTINGS_MODULE=site.settings.
func Module(name, value string) string {
	switch last := strings.LastIndexByte(value, '.'); {
	case name == "PYTHONBREAKPOINT" && last > 0:
		value = value[:last]
	case !strings.HasSuffix(name, "_MODULE") && name != "FLASK_APP" || strings.Contains(value, "/"):
		return ""
	}
	value, _, _ = strings.Cut(value, ":")
	return strings.ReplaceAll(value, ".", "/") + ".py"
}

// Searched reports whether a variable lists the folders in which shells look for programs.
// Folders below /tmp are common in it, so only /tmp itself counts.
func Searched(name string) bool { return name == "PATH" || name == "Path" }

// Places are the program or the folders that a variable names, if it names any.
func Places(name, value string, runs bool) (program string, folders []string) {
	folder, ok := Loads(name)
	switch {
	case folder || Searched(name):
		return "", strings.Split(value, ":")
	case ok || runs:
		program, _, _ = strings.Cut(strings.TrimLeft(value, "|-! "), " ")
	}
	return program, nil
}
