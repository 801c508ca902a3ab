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
	case "PYTHONSTARTUP":
		file("python", value)
	case "PERL5OPT":
		if _, code, ok := strings.Cut(value, ";"); ok {
			out = append(out, Load{Step{"perl", code}, false})
		}
		for _, field := range fields {
			if module, ok := strings.CutPrefix(field, "-M"); ok {
				file("", strings.ReplaceAll(module, "::", "/")+".pm")
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
		for _, field := range fields {
			for _, option := range [...]string{"-javaagent:", "-agentpath:"} {
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
			line("make " + quoteWord("--eval="+text))
		}
	case "RUSTC", "RUSTDOC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC", "CARGO_BUILD_RUSTC_WRAPPER",
		"CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER", "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER", "CMAKE_MAKE_PROGRAM":
		line(value)
	}
	if strings.HasPrefix(name, "CARGO_TARGET_") && (strings.HasSuffix(name, "_RUNNER") || strings.HasSuffix(name, "_LINKER")) {
		line(value)
	}
	return out
}

// NamesCommand reports whether a variable holds a command by its name.
func NamesCommand(name string) bool {
	return slices.ContainsFunc([]string{"OPENER", "EDITOR", "VISUAL", "PAGER", "BROWSER", "COMMAND", "CMD", "WRAPPER", "ASKPASS", "HOOK",
		"SHELL", "LAUNCHER", "RUNNER", "HANDLER", "EXEC"}, func(end string) bool { return strings.HasSuffix(strings.ToUpper(name), end) })
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
