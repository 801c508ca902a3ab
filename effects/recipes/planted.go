package recipes

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/lex"
)

// Hands says who runs what a file holds.
type Hands int

// From nobody to those who open, build or test the project.
const (
	Nobody  Hands = iota
	Image         // an image, while it is built
	Service       // a service of CI, on another machine
	Asked         // a tool that is told to: make, docker compose
	Unasked       // git, an editor, a package manager, a shell that enters the folder
)

// RunBy says who runs a file by itself, by the file's name.
func RunBy(name string) Hands {
	name = "/" + strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	for _, folder := range [...]string{"/.github/workflows/", "/.gitea/workflows/", "/.forgejo/workflows/", "/.circleci/", "/.woodpecker/",
		"/.buildkite/", "/.tekton/"} {
		if strings.Contains(name, folder) {
			return Service
		}
	}
	for _, folder := range [...]string{"/.git/hooks/", "/.husky/", "/.githooks/", "/.devcontainer/", "/.idea/", "/.zed/",
		"/.cargo/config", "/.config/mise/", "/.fleet/", "/.yarn/plugins/", "/.mvn/", "/.config/nvim/", "/.config/i3/", "/.config/sway/",
		"/.config/hypr/", "/.config/kitty/", "/.config/fish/", "/.config/tmux/", "/.julia/config/", "/.hammerspoon/",
		"/profile_default/startup/", "_profile.ps1", "/powershell/profile.ps1", "/.git/config", "/.config/git/config", "/.ssh/config",
		"/.ssh/rc", "/etc/profile.d/", "/etc/zsh", "/.bashrc.d/", "/.oh-my-zsh/custom/", "/.config/zsh/"} {
		if strings.Contains(name, folder) {
			return Unasked
		}
	}
	switch base := path.Base(name); base {
	case ".gitlab-ci.yml", "bitbucket-pipelines.yml", "azure-pipelines.yml", ".travis.yml", "appveyor.yml", ".drone.yml", ".woodpecker.yml",
		"cloudbuild.yaml", "buildspec.yml", "action.yml", "action.yaml", "jenkinsfile":
		return Service
	case ".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", "package.json", "composer.json", "devcontainer.json", ".envrc", ".npmrc",
		".yarnrc.yml", ".yarnrc", ".pnpmfile.cjs", "conftest.py", "setup.py", "sitecustomize.py", "usercustomize.py", "build.rs", "mise.toml",
		".mise.toml", ".lldbinit", ".gdbinit", ".exrc", ".nvimrc", ".nvim.lua", ".vimrc", ".rprofile", ".irbrc", ".pryrc", "extconf.rb",
		"binding.gyp", ".lintstagedrc", ".lintstagedrc.js", ".autoenv", ".env.fish", ".gitmodules", "flake.nix", "shell.nix", ".psqlrc",
		".gvimrc", "init.vim", ".emacs", "init.el", ".tmux.conf", ".screenrc", ".xinitrc", ".xprofile", ".xsessionrc", ".wezterm.lua",
		".iex.exs", ".ghci", ".sbclrc", ".octaverc", ".guile", ".erlang", ".pythonrc", ".pythonrc.py", ".sqliterc", ".muttrc", ".lessfilter",
		".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
		".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".xsession", ".direnvrc", ".gitconfig", "gitconfig",
		".dir-locals.el", "tasks.json", "launch.json", ".mcp.json", "mcp.json", "mcp_config.json",
		"settings.json", "hooks.json", ".bazelrc", ".terraformrc", "directory.build.props", "directory.build.targets", "pyproject.toml":
		return Unasked
	case "makefile", "gnumakefile", "justfile", ".justfile", "procfile", "vagrantfile", "tiltfile":
		return Asked
	default:
		switch ext := path.Ext(base); {
		case strings.HasPrefix(base, "dockerfile"), strings.HasPrefix(base, "containerfile"), ext == ".dockerfile":
			return Image
		case ext == ".pth", strings.HasSuffix(base, ".config.js"), strings.HasSuffix(base, ".config.mjs"),
			strings.HasSuffix(base, ".config.cjs"), strings.HasSuffix(base, ".config.ts"), ext == ".gemspec", ext == ".code-workspace":
			return Unasked
		case strings.Contains(name, "hooks/"+base) && gitHook(base): // of a template, or of a folder that git is told about
			return Unasked
		case ext == ".md" && (strings.Contains(name, "/commands/") || strings.Contains(name, "/skills/")): // of an agent
			return Asked
		case ext == ".mk", strings.Contains(base, "compose") && isList(base), ext == ".service", ext == ".timer", ext == ".desktop",
			ext == ".plist", ext == ".ipynb", strings.HasPrefix(base, "taskfile."), strings.HasPrefix(base, "crontab"), Hidden(name):
			return Asked
		}
	}
	return Nobody
}

// gitHook reports whether a name is that of a hook that git runs.
func gitHook(base string) bool {
	switch base {
	case "applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg",
		"post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "update", "post-receive", "post-update",
		"reference-transaction", "push-to-checkout", "pre-auto-gc", "post-rewrite", "sendemail-validate", "fsmonitor-watchman":
		return true
	}
	return false
}

// Planted is all that a file runs, or a part of one, by the file's name.
func Planted(name, text string) []Step {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	switch ext := path.Ext(base); {
	case ext == ".json", ext == ".code-workspace", base == ".lintstagedrc":
		return append(lines(jsonValues(text)), lines(jsonCommands(text))...)
	case strings.HasPrefix(base, "jenkinsfile"):
		return lines(strings.FieldsFunc(text, func(r rune) bool { return r == '\'' || r == '"' || r == '\n' }))
	case strings.HasSuffix(base, "makefile"), strings.HasSuffix(base, "justfile"), ext == ".mk":
		return lines(Lines(text, strings.HasSuffix(base, "justfile")))
	case strings.HasPrefix(base, "dockerfile"), strings.HasPrefix(base, "containerfile"), ext == ".dockerfile":
		return append(Of("dockerfile", text, nil), lines(imageCommands(text))...)
	case ext == ".ipynb" && !strings.HasPrefix(strings.TrimSpace(text), "{"): // a cell
		return append([]Step{{"python", text}}, lines(cellCommands(text))...)
	case strings.HasPrefix(base, "crontab"):
		return lines(Jobs(text))
	case strings.Contains(base, "compose") && isList(base):
		return Of(base, text, []string{"up"})
	case strings.HasSuffix(base, "gitconfig"), base == ".gitmodules", base == "config" && strings.Contains(name, "git/"):
		return gitSettings(text)
	case ext == ".md": // a command of an agent: !`git status`
		return shell(embedded(text, "!`", "`"))
	case base == "config" && strings.Contains(name, "ssh/"):
		return sshCommands(text)
	case base == "pyproject.toml", base == ".npmrc", base == ".yarnrc":
		return values(text, nil)
	case ext == ".yml", ext == ".yaml":
		steps := Of(base, withVariables(text), nil)
		if Hidden(strings.ToLower(name)) {
			steps = append(steps, lines(Commands(text))...)
		}
		return steps
	case ext == ".plist", ext == ".xml":
		return append(shell(executed(text)), Step{"unknown", text})
	case isList(base), ext == ".desktop":
		return values(text, nil)
	}
	if language := Interpreter(base, text); language != "" {
		return []Step{{language, text}}
	}
	switch language := Language(base); {
	case language != "unknown":
		return []Step{{language, text}}
	case Hidden(strings.ToLower(name)) && RunBy(name) != Unasked:
		return append([]Step{{"unknown", text}}, lines(Commands(text))...)
	case path.Ext(base) != "" && path.Ext(base) != base, strings.HasSuffix(base, "file"), // build.rs, flake.nix
		strings.Contains(" .vimrc .gvimrc .exrc .nvimrc .gdbinit .lldbinit .screenrc .emacs .psqlrc .sqliterc .muttrc .ghci .sbclrc .octaverc "+
			".guile .erlang config ", " "+base+" "):
		return append([]Step{{"unknown", text}}, lines(escapes(text))...)
	}
	return shell(text)
}

// escapes are the commands that the lines of a text hand to a shell.
func escapes(text string) (out []string) {
	for line := range strings.Lines(text) {
		out = append(out, Escape(line))
	}
	return out
}

func lines(all []string) (out []Step) {
	for _, line := range all {
		out = append(out, shell(line)...)
	}
	return out
}

// imageCommands are the commands that build an image.
func imageCommands(text string) (out []string) {
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		if command, ok := built(line); ok {
			out = append(out, command)
		}
	}
	return out
}

// gitSettings are the commands that set what a configuration of git has, or a part of
// one: whoever reads them knows what each setting runs.
func gitSettings(text string) (out []Step) {
	for key, value := range Settings(text) {
		if strings.HasPrefix(key, ".") { // the section is not in this part of the file
			key = "alias" + key
		}
		out = append(out, Step{"shell", "git config " + quoteWord(key) + " " + quoteWord(value)})
	}
	return out
}

// sshCommands are the commands that a configuration of ssh runs here.
func sshCommands(text string) (out []Step) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		end := strings.IndexAny(line, " \t=")
		if end < 0 {
			continue
		}
		value := strings.TrimLeft(line[end:], " \t=")
		switch strings.ToLower(line[:end]) {
		case "proxycommand", "localcommand", "knownhostscommand":
			out = append(out, shell(value)...)
		case "match":
			if at := strings.Index(strings.ToLower(value), "exec"); at >= 0 {
				out = append(out, shell(strings.Trim(strings.TrimSpace(value[at+len("exec"):]), `"`))...)
			}
		}
	}
	return out
}

// cellCommands are the lines of a notebook's cell that a shell runs.
func cellCommands(text string) (out []string) {
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			out = append(out, command)
		}
	}
	return out
}

// withVariables writes the secrets of a workflow as variables of the shell, which is
// what they are to its commands: ${{ secrets.TOKEN }}. In single quotes as well: the
// value is there before the shell looks.
func withVariables(text string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${{")
		inner, after, closed := strings.Cut(rest, "}}")
		out.WriteString(before)
		if !ok || !closed {
			out.WriteString(rest)
			return out.String()
		}
		_, variable, secret := strings.Cut(strings.TrimSpace(inner), "secrets.")
		line := out.String()[strings.LastIndexByte(out.String(), '\n')+1:]
		switch variable = "$" + strings.TrimSpace(variable); {
		case !secret:
			out.WriteString("x")
		case strings.Count(line, "'")%2 == 1:
			out.WriteString(`'"` + variable + `"'`)
		default:
			out.WriteString(variable)
		}
		text = after
	}
}

// jsonValues are the values of several words in a text of JSON, or in a part of one.
func jsonValues(text string) (out []string) {
	for at := strings.IndexByte(text, '"'); at >= 0; {
		n := lex.Quoted(text[at:], '"')
		var value string
		if !strings.HasPrefix(strings.TrimSpace(text[at+n:]), ":") && json.Unmarshal([]byte(text[at:at+n]), &value) == nil &&
			strings.Contains(value, " ") {
			out = append(out, value)
		}
		next := strings.IndexByte(text[at+n:], '"')
		if next < 0 {
			break
		}
		at += n + next
	}
	return out
}

// jsonCommands are the commands that a text of JSON has as a program and its arguments:
// "command": "x", "args": ["y"].
func jsonCommands(text string) (out []string) {
	if !strings.Contains(text, `"args"`) {
		return nil
	}
	top := &entry{}
	flow(text, top)
	return withArguments(top)
}

// withArguments are the commands below an entry that stand beside their arguments.
func withArguments(top *entry) (out []string) {
	top.each(func(e *entry) {
		if args := e.get("args"); e.get("command").text != "" && args.under != nil {
			out = append(out, e.get("command").text+" "+wordsOf(args))
		}
	})
	return out
}

// Starts are the programs that a tool's settings make it run instead of its own: the shell of
// npm's scripts, the interpreter of an editor, what wraps a compiler. text is a file of
// settings, or a part of one.
func Starts(text string) (programs []string) {
	for line := range strings.Lines(text) {
		for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ',' || r == '{' || r == '}' }) {
			at := strings.IndexAny(part, ":=")
			if at < 0 {
				continue
			}
			name := strings.ToLower(strings.Trim(strings.TrimSpace(part[:at]), `"'`))
			if !slices.ContainsFunc([]string{"shell", "interpreter", "path", "runtime", "wrapper", "runner", "linker", "options", "exec", "command",
				"rustc", "program", "tool", "agent", "preload", "plugin", "git"}, func(word string) bool { return strings.Contains(name, word) }) {
				continue
			}
			for word := range strings.FieldsFuncSeq(part[at+1:], func(r rune) bool { return strings.ContainsRune(" \t\"'=[]\r\n", r) }) {
				if strings.Contains(word, "/") {
					programs = append(programs, word)
				}
			}
		}
	}
	return programs
}
