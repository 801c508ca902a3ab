package recipes

import (
	"slices"
	"strings"
)

// Load is what a variable makes a program run: code, or a file of code.
type Load struct {
	Step
	File bool
}

// Variable lists what a variable makes a program run, or load before anything else.
func Variable(name, value string) (out []Load) {
	file := func(language, text string) { out = append(out, Load{Step{language, text}, true}) }
	line := func(text string) { out = append(out, Load{Step{"shell", text}, false}) }
	fields := strings.Fields(value)
	switch name {
	case "PERL5OPT":
		if _, code, ok := strings.Cut(value, ";"); ok {
			out = append(out, Load{Step{"perl", code}, false})
		}
		for _, field := range fields {
			if module, ok := strings.CutPrefix(field, "-M"); ok {
				file("", strings.ReplaceAll(module, "::", "/")+".pm")
			} else if folder, ok := strings.CutPrefix(field, "-I"); ok {
				file("", folder)
			}
		}
	case "MAKEFILES":
		for _, name := range fields {
			file("", name)
		}
	case "NODE_OPTIONS":
		preloads(fields, func(text string) { file("node", text) }, "-r", "--require", "--import", "--loader", "--experimental-loader")
	case "RUBYOPT":
		preloads(fields, func(text string) { file("ruby", text) }, "-r")
	case "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS", "MAVEN_OPTS", "GRADLE_OPTS", "SBT_OPTS", "ANT_OPTS",
		"KOTLIN_OPTS", "LEIN_JVM_OPTS":
		for _, option := range [...]string{"-XX:OnError=", "-XX:OnOutOfMemoryError="} {
			if _, command, ok := strings.Cut(value, option); ok {
				line(quoted(command))
			}
		}
		for _, field := range fields {
			for _, option := range [...]string{"-javaagent:", "-agentpath:", "-Xbootclasspath/a:", "-Xbootclasspath/p:", "-Xbootclasspath:"} {
				if text, ok := strings.CutPrefix(field, option); ok {
					text, _, _ = strings.Cut(text, "=")
					file("java", text)
				}
			}
		}
	case "GOFLAGS":
		for _, field := range fields {
			if name, value, _ := strings.Cut(strings.TrimLeft(field, "-"), "="); name == "toolexec" || name == "exec" || name == "vettool" {
				line(value)
			}
		}
	case "MAKEFLAGS", "GNUMAKEFLAGS":
		if _, text, ok := strings.Cut(value, "--eval="); ok {
			line("make " + quoteWord("--eval="+strings.ReplaceAll(text, `\ `, " ")))
		}
	case "RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "RUSTDOCFLAGS":
		if _, linker, ok := strings.Cut(value, "linker="); ok {
			linker, _, _ = strings.Cut(linker, " ")
			line(linker)
		}
	case "CURL_HOME":
		line("curl -K " + quoteWord(strings.TrimSuffix(value, "/")+"/.curlrc"))
	case "GOAUTH":
		for command := range strings.SplitSeq(value, ";") {
			line(command)
		}
	case "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS":
		if _, parts, ok := strings.Cut(value, "unixexec:path="); ok {
			words := strings.Split(parts, ",")
			for i := range words[1:] {
				_, words[1+i], _ = strings.Cut(words[1+i], "=")
				words[1+i] = quoteWord(words[1+i])
			}
			line(strings.Join(words, " "))
		}
	default:
		out = listed(name, value)
	}
	if strings.HasPrefix(name, "CARGO_TARGET_") && (strings.HasSuffix(name, "_RUNNER") || strings.HasSuffix(name, "_LINKER")) {
		line(value)
	}
	return out
}

// quoted is what a text begins with, in quotes or up to a blank.
func quoted(text string) string {
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		text, _, _ = strings.Cut(text[1:], text[:1])
		return text
	}
	text, _, _ = strings.Cut(text, " ")
	return text
}

// variables are those whose whole value is run: line is one of a shell, with a program
// behind it it is further arguments of that, code and file are in a language, write is
// a file that is written if it is named from the root.
const variables = `
ANSIBLE_SSH_EXECUTABLE line
AR line
CARGO_BUILD_RUSTC line
CARGO_BUILD_RUSTC_WRAPPER line
CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER line
CMAKE_CXX_COMPILER_LAUNCHER line
CMAKE_C_COMPILER_LAUNCHER line
CMAKE_MAKE_PROGRAM line
CPP line
ANSIBLE_VAULT_PASSWORD_FILE file
BUNDLE_GEMFILE file ruby
ELIXIR_ERL_OPTIONS line erl
ERL_AFLAGS line erl
ERL_FLAGS line erl
ERL_ZFLAGS line erl
EXINIT code vim
FZF_DEFAULT_OPTS line fzf -f x
GIT_TRACE write
GIT_TRACE2 write
GIT_TRACE2_EVENT write
GIT_TRACE2_PERF write
GIT_TRACE_CURL write
GIT_TRACE_FSMONITOR write
GIT_TRACE_PACKET write
GIT_TRACE_PERFORMANCE write
GIT_TRACE_SETUP write
GOCACHEPROG line
GVIMINIT code vim
HGMERGE line
LD line
LUA_INIT code lua
LUA_INIT_5_2 code lua
LUA_INIT_5_3 code lua
LUA_INIT_5_4 code lua
MANOPT line man
NODE_REPL_EXTERNAL_MODULE file node
PERL5DB code perl
PKG_CONFIG line
PYTHONSTARTUP file python
RUSTC line
RUSTC_WORKSPACE_WRAPPER line
RUSTC_WRAPPER line
RUSTDOC line
R_PROFILE file r
R_PROFILE_USER file r
SSLKEYLOGFILE write
SVN_SSH line
VIMINIT code vim
`

// listed is what the value of one of the variables is.
func listed(name, value string) []Load {
	_, rest, ok := strings.Cut(variables, "\n"+name+" ")
	if !ok || value == "" {
		return nil
	}
	rest, _, _ = strings.Cut(rest, "\n")
	kind, what, _ := strings.Cut(rest, " ")
	switch {
	case kind == "line" && what != "":
		return []Load{{Step{"shell", "env -u " + name + " " + what + " " + value}, false}}
	case kind == "line":
		what = "shell"
	case kind == "write" && value[0] != '/':
		return nil
	case kind == "write":
		what = "write"
	case kind == "code" && what == "lua" && value[0] == '@':
		return []Load{{Step{what, value[1:]}, true}}
	}
	return []Load{{Step{what, value}, kind == "file" || kind == "write"}}
}

// preloads finds the files that options in a variable make an interpreter load.
func preloads(fields []string, load func(file string), options ...string) {
	next := false
	for _, field := range fields {
		option, value, _ := strings.Cut(field, "=")
		loads := !next && slices.Contains(options, option)
		was := next
		next = loads && value == ""
		switch {
		case was:
			value = field
		case loads:
		case strings.HasPrefix(field, "-r") && len(field) > 2:
			value = field[2:]
		default:
			value = ""
		}
		if value != "" {
			load(value)
		}
	}
}
