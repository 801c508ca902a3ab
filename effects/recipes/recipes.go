// Package recipes reads the files in which a project says what its tools run:
// makefiles, task lists, package scripts. It handles only text; callers find the
// files and interpret the commands.
package recipes

import (
	"path"
	"strings"
)

// Step is code that a tool runs.
type Step struct{ Language, Text string }

// Of lists what a tool runs from a file, by the file's name. words are the tool's
// arguments without options: a target, the name of a script.
func Of(file, text string, words []string) []Step {
	switch name := strings.ToLower(path.Base(file)); {
	case name == "package.json":
		return scripts(text, "scripts", packageNames(words), words)
	case name == "project.json":
		return targets(text, words)
	case name == "composer.json":
		return scripts(text, "scripts", append(composerNames, words...), words)
	case strings.HasPrefix(name, "deno.json"):
		return scripts(text, "tasks", words, words)
	case name == "makefile" || name == "gnumakefile" || strings.HasSuffix(name, "justfile") || path.Ext(name) == ".mk":
		if strings.HasSuffix(name, "justfile") {
			return append(shell(justScript(text, words)), shell(embedded(text, "`", "`"))...)
		}
		return shell(makeScript(text, words))
	case path.Ext(name) == ".gyp" || path.Ext(name) == ".gypi":
		return append(shell(embedded(text, "<!(", ")")), shell(embedded(text, "<!@(", ")"))...)
	case name == "configure.ac" || name == "configure.in" || path.Ext(name) == ".m4":
		return shell(embedded(text, "syscmd([", "])"))
	case name == "tasks.py" || name == "dodo.py" || name == "fabfile.py" || name == "duties.py" || name == "noxfile.py":
		return []Step{{"python", text}, {"unknown", text}} // c.run("…"), actions: […]
	case strings.HasPrefix(name, "dockerfile") || strings.HasPrefix(name, "containerfile"):
		return shell(leaks(text))
	case name == "dune":
		return append(shell(embedded(text, "(run ", ")")), Step{"unknown", text})
	case name == "earthfile":
		return shell(locally(text))
	case path.Ext(name) == ".ipynb":
		return notebook(text)
	case path.Ext(name) == ".rmd" || path.Ext(name) == ".qmd":
		return Document(file, "", text)
	case name == "pom.xml", name == "build.xml", path.Ext(name) == ".build",
		strings.HasSuffix(path.Ext(name), "proj"), path.Ext(name) == ".targets",
		path.Ext(name) == ".props":
		return append(shell(executed(text)), Step{"unknown", text})
	case path.Ext(name) == ".go":
		return append(shell(generated(text)), Step{"unknown", text})
	case strings.HasSuffix(name, "devcontainer.json"):
		return prepared(text)
	case name == "cargo.toml", name == "bunfig.toml", name == "pyproject.toml" && !strings.Contains(text, "[tool."):
		return nil // what it runs are other files
	case name == ".npmrc":
		return npmSettings(text)
	case name == "tox.ini":
		return values(toxVariables(text), words)
	case strings.HasSuffix(file, "debian/rules"):
		return shell(makeScript(text, words))
	case name == ".rspec":
		return nil
	case name == "pkgbuild" || name == "apkbuild" || path.Ext(name) == ".spec":
		return shell(packaged(text))
	case path.Ext(name) == ".tex" || path.Ext(name) == ".sty":
		return append(shell(embedded(text, "write18{", "}")), shell(embedded(text, "{|\"", "\""))...)
	case name == "dbt_project.yml":
		return statements(text)
	case strings.HasSuffix(file, ".cargo/config.toml"), strings.HasSuffix(file, ".cargo/config"):
		return cargoSettings(text)
	case name == "nodemon.json":
		return events(text)
	case strings.HasPrefix(name, "ecosystem.config."):
		return append(applications(text), Step{Language(file), text})
	case path.Ext(name) == ".rockspec":
		return rockCommands(text)
	case strings.Contains(name, "compose") && isList(name):
		return shell(composed(text, words))
	case (isList(name) || name == "stdin" || name == "-") && (strings.Contains(text, "hosts:") || strings.Contains(text, `"hosts":`)):
		return append(values(text, words), shell(played(text))...)
	case isList(name) && strings.Contains(text, "kind:") && strings.Contains(text, "containers:"):
		return shell(pods(text))
	case isList(name):
		return values(text, words)
	}
	return []Step{{Language(file), text}}
}

// embedded are the commands that stand between two marks, one in each line.
func embedded(text, open, end string) string {
	var out []string
	for {
		_, rest, ok := strings.Cut(text, open)
		line, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			return strings.Join(out, "\n")
		}
		out, text = append(out, line), after
	}
}

// isList reports whether a file holds commands as values of names, or as items of
// lists.
func isList(name string) bool {
	switch path.Ext(name) {
	case ".yml", ".yaml", ".toml", ".ini", ".cfg", ".conf", ".ninja", ".service", ".timer":
		return true
	}
	return name == "procfile"
}

func shell(text string) []Step {
	if text == "" {
		return nil
	}
	return []Step{{"shell", text}}
}

// Language is the language of a file, by its name.
func Language(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx":
		return "node"
	case ".py":
		return "python"
	case ".rb", ".rake", ".gemspec":
		return "ruby"
	case ".sh", ".bash", ".envrc", ".zsh":
		return "shell"
	case ".pl", ".pm":
		return "perl"
	case ".php":
		return "php"
	case ".lua":
		return "lua"
	case ".r":
		return "r"
	case ".ps1", ".psm1":
		return "powershell"
	case ".bat", ".cmd":
		return "batch"
	}
	switch strings.ToLower(path.Base(name)) {
	case "rakefile", "gemfile", "guardfile", "fastfile", "vagrantfile", "brewfile", "podfile", "capfile":
		return "ruby"
	case ".irbrc", ".pryrc":
		return "ruby"
	case "sconstruct", "wscript", ".pythonrc":
		return "python"
	case ".rprofile":
		return "r"
	}
	return "unknown"
}

// Interpreter is the language of a script by its name or its first line, "" for a
// shell.
func Interpreter(name, text string) string {
	if language := Language(name); language == "powershell" || language == "batch" { // Windows goes by the name
		return language
	}
	line, _, _ := strings.Cut(text, "\n")
	line, ok := strings.CutPrefix(line, "#!")
	if !ok {
		return ""
	}
	for word := range strings.FieldsSeq(line) {
		switch name := strings.TrimRight(path.Base(word), "0123456789."); name {
		case "python", "perl", "ruby", "node", "php", "lua":
			return name
		case "pwsh":
			return "powershell"
		}
	}
	return ""
}

// Starter is the command line that a script names in its first line, "" if that is a shell
// or there is none: #!/usr/bin/env -S awk -f.
func Starter(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	line, ok := strings.CutPrefix(line, "#!")
	words := strings.Fields(line)
	for i, word := range words {
		switch name := path.Base(word); {
		case name == "env" || word[0] == '-' || strings.Contains(word, "="):
		case strings.HasSuffix(name, "sh") && name != "tclsh" && name != "wish" && name != "jimsh", name == "busybox":
			return ""
		case ok:
			return name + " " + strings.Join(words[i+1:], " ")
		}
	}
	return ""
}

// generated are the commands of go generate.
func generated(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "//go:generate "); ok {
			out = append(out, strings.TrimSpace(command))
		}
	}
	return strings.Join(out, "\n")
}

// Arguments are the lines of a file without their first words, which say what each
// is for: ProxyCommand nc %h, shell ls. Those of a file for curl are its options,
// and files about containers say what these are given.
func Arguments(program, text string, words []string) string {
	switch program {
	case "curl":
		return curlOptions(text)
	case "node", "bun", "deno":
		return envFile(program, text)
	case "dotenv":
		return envFile("node", text)
	case "kubectl", "oc", "kubecolor":
		return manifest(text)
	case "docker", "docker-compose", "podman", "podman-compose", "nerdctl":
		return composed(text, words)
	}
	var out []string
	for line := range strings.Lines(text) {
		if first, rest, ok := strings.Cut(strings.TrimSpace(line), " "); ok && line[0] != '#' {
			if _, command, runs := strings.Cut(rest, "exec "); runs && strings.EqualFold(first, "match") { // Match exec "command"
				rest = unquoted(command)
			}
			out = append(out, rest)
		}
	}
	return strings.Join(out, "\n")
}

// curlOptions is the call of curl that a file of options stands for: url = "x",
// --data @file, one a line.
func curlOptions(text string) string {
	line := "curl"
	for option := range strings.Lines(text) {
		option = strings.TrimSpace(option)
		if option == "" || option[0] == '#' {
			continue
		}
		at := strings.IndexAny(option, " \t=:")
		if at < 0 {
			at = len(option)
		}
		name, value := option[:at], strings.Trim(strings.TrimLeft(option[at:], " \t=:"), `"`)
		if !strings.HasPrefix(name, "-") {
			name = "--" + name
		}
		if line += " " + name; value != "" {
			line += " " + quoteWord(value)
		}
	}
	return line
}
