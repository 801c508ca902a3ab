package recipes

import (
	"path"
	"strings"
)

// npmSettings are the commands of an .npmrc: the shell that runs scripts, and
// what each node is started with.
func npmSettings(text string) []Step {
	var lines []string
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, "=")
		value = unquoted(strings.TrimSpace(value))
		registry, login := strings.CutSuffix(strings.TrimSpace(name), ":_authToken")
		github := strings.HasPrefix(value, "${GH_") || strings.HasPrefix(value, "${GITHUB_")
		if login && github && !strings.HasPrefix(registry, "//npm.pkg.github.com/") { // the token of another service
			lines = append(lines, `curl -d "`+value+`" `+quoteWord("https:"+registry))
		}
		switch strings.TrimSpace(name) {
		case "script-shell", "shell", "git", "editor", "viewer":
			lines = append(lines, value)
		case "node-options":
			lines = append(lines, "node "+value+" -e 0")
		case "onload-script":
			lines = append(lines, "node "+quoteWord(value))
		}
	}
	return shell(strings.Join(lines, "\n"))
}

// toxVariables writes variables of the environment as a shell does: {env:HOME}.
func toxVariables(text string) string {
	before, rest, ok := strings.Cut(text, "{env:")
	name, after, closed := strings.Cut(rest, "}")
	if !ok || !closed {
		return text
	}
	name, _, _ = strings.Cut(name, ":") // a default follows
	return before + "$" + name + toxVariables(after)
}

// cargoSettings are the commands of a .cargo/config.toml, with its aliases as calls
// of cargo.
func cargoSettings(text string) []Step {
	var aliases []string
	before, section, _ := strings.Cut(text, "[alias]")
	section, after, more := strings.Cut(section, "\n[")
	for line := range strings.Lines(section) {
		if value := valueOf(line); value != "" {
			aliases = append(aliases, "cargo "+value)
		}
	}
	if more {
		before += "\n[" + after
	}
	return append(values(before, nil), shell(strings.Join(aliases, "\n"))...)
}

// events are the commands of a nodemon.json: values of events, of endings, and exec.
func events(text string) []Step {
	var lines []string
	for _, part := range [...]string{"events", "execMap", "exec"} {
		_, rest, ok := strings.Cut(text, `"`+part+`"`)
		rest = strings.TrimLeft(rest, " :\r\n\t")
		if !ok || rest == "" {
			continue
		}
		if rest[0] != '{' {
			rest = firstText(rest)
			rest = `"":` + rest
		} else {
			rest = upTo(rest, '{', '}')
		}
		name := true
		for text := range quotedTexts(rest) {
			if !name {
				lines = append(lines, text)
			}
			name = !name
		}
	}
	return shell(strings.Join(lines, "\n"))
}

// applications are the programs that a process manager starts: script and args of each
// entry.
func applications(text string) []Step {
	var lines []string
	for {
		_, rest, ok := strings.Cut(text, "script")
		if !ok {
			return shell(strings.Join(lines, "\n"))
		}
		text = rest
		rest, _, _ = strings.Cut(rest, "}")
		script := literal(behindName(rest))
		if script == "" {
			continue
		}
		if _, behind, ok := strings.Cut(rest, "args"); ok {
			behind = behindName(behind)
			if list := upTo(behind, '[', ']'); list != "" && strings.HasPrefix(behind, "[") {
				for word := range literals(list) {
					script += " " + quoteWord(word)
				}
			} else {
				script += " " + literal(behind)
			}
		}
		if path.Ext(script) == "" || strings.Contains(script, " ") {
			lines = append(lines, script)
		}
	}
}

// behindName is what a name in an object of code has as its value: "x", behind ": "x".
func behindName(text string) string {
	return strings.TrimLeft(strings.TrimLeft(text, `"'`), " :")
}

// envFile are the variables of a file for node --env-file that make it run something.
func envFile(program, text string) string {
	var out []string
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if value = unquoted(strings.TrimSpace(value)); len(Variable(name, value)) > 0 {
			out = append(out, name+"="+quoteWord(value)+" "+program+" -e 0")
		}
	}
	return strings.Join(out, "\n")
}

// rockCommands are what a rockspec of luarocks runs to build and install.
func rockCommands(text string) []Step {
	var lines []string
	for _, name := range [...]string{"build_command", "install_command"} {
		if _, rest, ok := strings.Cut(text, name); ok {
			lines = append(lines, literal(strings.TrimLeft(rest, " =")))
		}
	}
	return shell(strings.Join(lines, "\n"))
}
