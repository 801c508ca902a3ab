package handed

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
)

// looks reports whether a run only looks at the files that it is given, keeps them or
// passes them on: viewers, editors, formatters, checkers, version control.
func looks(r *model.Run) bool {
	if r.Data || programs.OnlyReads(r) {
		return true
	}
	if a := programs.Parse(r); a.Help() || a.Explains("check", "lint", "validate", "format", "fmt", "diff") || looksAt.has(a.Word(0)) {
		return true
	}
	name := strings.TrimSuffix(strings.ToLower(r.Program), ".exe")
	if keeps.has(name) {
		return true
	}
	for _, sign := range [...]string{"lint", "fmt", "format", "spell", "prettier", "grep", "diff", "view", "pretty", "minify",
		"validat", "schema", "beautif", "hint", "cloc", "scan"} {
		if strings.Contains(name, sign) {
			return true
		}
	}
	return false
}

// configures reports whether an option or a variable names settings or a script.
func configures(option string) bool {
	option = strings.ToLower(option)
	for _, sign := range [...]string{"conf", "rc", "script", "init", "setting", "profile", "hook", "plugin", "filter", "macro",
		"template", "startup", "include", "load", "require", "_home"} {
		if strings.Contains(option, sign) {
			return true
		}
	}
	return option == "-f" || option == "-c" || option == "-C"
}

// writes reports whether an option names a file that is written.
func writes(option string) bool {
	switch strings.TrimLeft(strings.ToLower(option), "-") {
	case "o", "out", "output", "log", "log-file", "logfile", "report", "output-file", "out-file", "outfile", "dest",
		"destination", "pidfile":
		return true
	}
	return false
}

// own reports whether a run is of a language or a program of the project, which gets
// data: python3 x.py data.json, ./bin/tool data.json.
func own(r *model.Run) bool {
	if programs.Language(r) != "" {
		return true
	}
	switch r.Program {
	case "go", "cargo", "npm", "pnpm", "yarn", "bun", "deno", "dotnet", "gradle", "gradlew", "mvn", "mvnw", "make", "just",
		"task", "rake", "mix", "uv", "poetry", "pdm", "hatch", "nox", "tox", "sh", "bash", "zsh", "sudo", "env", "xargs",
		"docker", "podman":
		return true
	}
	return strings.Contains(r.Path, "/") && !strings.Contains(r.Path, "/.bin/") && !strings.HasPrefix(r.Path, "vendor/bin/") &&
		!strings.HasPrefix(r.Path, "/usr/") && !strings.HasPrefix(r.Path, "/opt/")
}

// prose reports whether a file is a text for people.
func prose(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".mdx", ".rst", ".adoc", ".txt", ".html", ".htm", ".csv", ".tsv", ".log", ".svg":
		return true
	}
	return false
}

// data reports whether a file is of a format for data.
func data(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".toml", ".xml", ".ini", ".sql":
		return true
	}
	return false
}

// configuration reports whether a file is a configuration by its name.
func configuration(name string) bool {
	base := strings.ToLower(path.Base(name))
	switch path.Ext(base) {
	case ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".kdl", ".hcl", ".json", ".jsonc", ".json5", ".hjson", ".ron",
		".properties", ".pkl", ".dhall", ".nu", ".star", ".jsonnet":
		return true
	}
	return strings.HasSuffix(base, "file") || strings.HasSuffix(base, "rc") || strings.Contains(base, "config")
}

// extension reports whether a file is code in a folder of a project whose code programs
// load by themselves: _plugins/x.rb.
func extension(name, dir string) bool {
	parts := strings.Split(strings.ToLower(rest(name, dir)), "/")
	for _, part := range parts[:len(parts)-1] {
		switch strings.Trim(part, "._") {
		case "plugins", "plugin", "extensions", "addons", "initializers", "hooks", "theme", "middleware", "fixtures.d", "startup":
			return codeOf(name) != ""
		}
		if strings.HasPrefix(part, ".") && len(part) > 1 && part != ".github" && part != ".git" && part != ".venv" {
			return codeOf(name) != ""
		}
	}
	return false
}

// codeOf is the ending of a file of code.
func codeOf(name string) string {
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".rb", ".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".lua", ".sh", ".bash", ".pl", ".php", ".rs", ".go", ".cs", ".fs",
		".java", ".kt", ".kts", ".scala", ".groovy", ".swift", ".zig", ".hs", ".ex", ".exs", ".dart", ".cr", ".nim", ".ml",
		".jl", ".clj", ".scm", ".el", ".vim", ".tcl", ".r", ".ps1":
		return ext
	}
	return ""
}

// builds reports whether a run builds and runs all code of a project in the language of
// a file, so that code in it runs that no name leads to: macros, tasks, plugins.
func builds(r *model.Run, name string) bool {
	if len(r.Args) == 0 && r.Program != "nuke" && r.Program != "stack" {
		return false
	}
	endings, sub := "", ""
	for _, w := range r.Args {
		if w.Text != "" && w.Text[0] != '-' && w.Text[0] != '+' {
			sub = w.Text
			break
		}
	}
	switch r.Program {
	case "cargo":
		endings = " .rs "
	case "dotnet", "nuke", "msbuild":
		endings = " .cs .fs .vb "
	case "swift":
		endings = " .swift "
	case "zig":
		endings = " .zig "
	case "mix", "elixir":
		endings = " .ex .exs "
	case "stack", "cabal", "runghc":
		endings = " .hs "
	case "dart", "flutter":
		endings = " .dart "
	case "gradle", "gradlew", "mvn", "mvnw", "sbt", "mill":
		endings = " .java .kt .kts .scala .groovy "
	case "pants", "bazel", "bazelisk", "buck2", "please", "plz":
		endings = " .py .bzl .star "
	case "crystal", "shards":
		endings = " .cr "
	case "nimble":
		endings = " .nim .nims "
	case "dune":
		endings = " .ml "
	}
	switch sub {
	case "fmt", "format", "clean", "add", "remove", "search", "doc", "update", "fetch", "tree", "new", "init", "restore",
		"deps", "metadata":
		return false
	}
	ext := codeOf(name)
	return ext != "" && strings.Contains(endings, " "+ext+" ")
}

// calledBy are the names of the program that a run is of: cargo make is make as well.
func calledBy(r *model.Run) (names []string) {
	add := func(name string) {
		name = strings.ToLower(strings.TrimPrefix(name, "@"))
		if scope, last, ok := strings.Cut(name, "/"); ok && !strings.ContainsAny(last, "/.") {
			add := plain(scope)
			names = append(names, add)
			name = last
		}
		name = strings.TrimSuffix(strings.TrimSuffix(name, "-cli"), "ctl")
		first, _, several := strings.Cut(name, "-") // gitlab-runner takes .gitlab-ci.yml
		for _, name := range [...]string{name, first} {
			if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == "" && len(name) > 1 && !slices.Contains(names, name) &&
				(name != first || !several || len(first) > 4) {
				names = append(names, name)
			}
		}
	}
	switch r.Program {
	case "cargo", "npx", "bunx", "pnpx", "pnpm", "yarn", "npm", "bundle", "uv", "uvx", "pipx", "poetry", "pdm", "rye", "mise",
		"dotnet", "composer", "rails", "mix", "deno", "bun", "python", "python3", "nix", "docker", "kubectl", "ruby", "php",
		"node", "go":
		for _, w := range r.Args {
			if w.Known && w.Text != "" && w.Text[0] != '-' && !behind.has(w.Text) {
				name, _, _ := strings.Cut(strings.TrimPrefix(w.Text, "@"), "@")
				add(name)
				break
			}
		}
	default:
		add(r.Program)
	}
	return names
}

// starts reports whether a file is called like a program that a run starts by its name:
// git-remote-x for git fetch x::y, kubectl-foo for kubectl foo.
func starts(r *model.Run, base string) bool {
	rest, ok := strings.CutPrefix(base, r.Program+"-")
	if rest, _, _ = strings.Cut(rest, "."); !ok || rest == "" {
		return false
	}
	if strings.HasPrefix(rest, "credential-") { // settings name it
		return true
	}
	rest = strings.TrimPrefix(rest, "remote-")
	return slices.ContainsFunc(r.Args, func(w model.Word) bool {
		return w.Text == rest || strings.HasPrefix(w.Text, rest+":") || strings.HasSuffix(w.Text, "="+rest)
	})
}

// plain is a name without the signs between its words.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(name))
}

// carries reports whether a file has the name of a program: .foorc, foo.toml,
// foo.config.js, .config/foo/x, Foofile; and .releaserc for semantic-release.
func carries(names []string, file string) bool {
	if file == "" || prose(file) && !strings.Contains(strings.ToLower(path.Base(file)), "file") {
		return false
	}
	parts := strings.Split(strings.ToLower(file), "/")
	base := parts[len(parts)-1]
	stem := strings.TrimPrefix(base, ".")
	stem, _, _ = strings.Cut(stem, ".")
	for _, name := range names {
		short := plain(name)
		for _, part := range parts[:len(parts)-1] {
			hidden := strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_")
			if plain(part) == short && (hidden || strings.Contains(file, "config")) {
				return true
			}
		}
		for word := range strings.FieldsFuncSeq(base, func(c rune) bool { return c == '.' || c == '-' || c == '_' }) {
			switch rest, ok := strings.CutPrefix(word, short); {
			case ok && slices.Contains([]string{"", "rc", "file", "conf", "config", "s", "cfg"}, rest):
				return configuration(file) || codeOf(file) != "" || path.Ext(file) == "" || prose(file) || len(word) > len(short)
			}
		}
		own := strings.TrimSuffix(strings.TrimSuffix(plain(stem), "rc"), "file")
		if len(own) < 4 || general.has(own) {
			continue
		}
		left := own
		for part := range strings.SplitSeq(name, "-") {
			left = strings.ReplaceAll(left, part, "")
		}
		if left == "" || strings.HasSuffix(short, own) || strings.HasPrefix(short, own) {
			return configuration(file)
		}
	}
	return false
}
