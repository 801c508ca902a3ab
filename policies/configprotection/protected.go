package configprotection

import (
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/world"
)

// group is the reason why a file is protected; it determines what the agent is told.
type group uint8

const (
	free     group = iota
	rules          // settings of linters and other checks
	profile        // what every shell reads first
	wiring         // what makes an agent call its hooks
	sidecar        // the state of a workflow
	pointer        // which workflow is active
	claims         // what an agent claims to have verified
	record         // commands that were really run
	delivery       // what a delivery is anchored to
	gitHooks       // programs that run before a commit or a push
	named          // files named in the options
	section        // rules in a file that also has other content
)

// code is the code of the finding for a group.
func (g group) code() string {
	return [...]string{"", "linter_config", "shell_profile", "agent_settings", "workflow_state", "workflow_state", "workflow_state",
		"workflow_state", "delivery_anchor", "git_hooks", "protected_path", "linter_section"}[g]
}

// byName recognizes files that are protected wherever they are, by their name in
// lower case.
func byName(base string) group {
	switch base {
	case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zprofile", ".zshenv", ".zlogin", ".zlogout",
		"config.fish":
		return profile
	case "lefthook.yml", "lefthook.yaml", "lefthook.toml", "lefthook.json", ".lefthook.yml", ".lefthook.yaml", "lefthook-local.yml",
		".pre-commit-config.yaml", ".pre-commit-config.yml", ".overcommit.yml", ".huskyrc", ".huskyrc.json", ".huskyrc.js":
		return gitHooks
	case "biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc", "ruff.toml", ".ruff.toml", ".shellcheckrc", "shellcheckrc",
		"tslint.json", ".oxlintrc.json", "oxlint.json", "dprint.json", ".dprint.json", "dprint.jsonc", ".flake8", ".pylintrc",
		"pylintrc", "pylintrc.toml", "mypy.ini", ".mypy.ini", "pyrightconfig.json", ".isort.cfg", ".style.yapf", ".bandit",
		".jshintrc", ".jscsrc", "deno.lint.json", "rustfmt.toml", ".rustfmt.toml", "clippy.toml", ".clippy.toml",
		".clang-format", ".clang-tidy", ".swiftlint.yml", ".swiftlint.yaml", ".swiftformat", ".rubocop.yml",
		".rubocop_todo.yml", ".standard.yml", ".hadolint.yaml", ".hadolint.yml", ".yamllint", ".yamllint.yml", ".yamllint.yaml",
		".luacheckrc", "stylua.toml", ".stylua.toml", ".scalafmt.conf", ".scalafix.conf", "detekt.yml", "checkstyle.xml",
		"phpcs.xml", "phpcs.xml.dist", "phpstan.neon", "phpstan.neon.dist", "psalm.xml", ".php-cs-fixer.php",
		".php-cs-fixer.dist.php", ".credo.exs", ".formatter.exs", ".sqlfluff", ".ansible-lint", ".tflint.hcl",
		".actionlint.yaml", "revive.toml", "staticcheck.conf", ".ktlint", ".editorconfig-checker.json", "buf.lint.yaml",
		"sonar-project.properties", ".codeclimate.yml":
		return rules
	}
	for _, stem := range [...]string{".eslintrc", "eslint.config", ".prettierrc", "prettier.config", ".stylelintrc",
		"stylelint.config", ".markdownlint", ".markdownlintrc", ".markdownlint-cli2", ".golangci", "biome.config",
		".lintstagedrc", "lint-staged.config", ".commitlintrc", "commitlint.config", ".textlintrc", ".htmlhintrc", ".xo-config",
		"xo.config", "oxlint.config", "knip.config", ".remarkrc"} {
		if rest, ok := strings.CutPrefix(base, stem); ok && (rest == "" && stem[0] == '.' || strings.HasPrefix(rest, ".") && !document(rest)) {
			return rules
		}
	}
	return free
}

// document tells a text about a configuration from the configuration itself.
func document(extension string) bool {
	return slices.Contains([]string{".md", ".mdx", ".txt", ".html", ".test.js", ".test.ts", ".spec.js", ".spec.ts", ".snap"}, extension)
}

// place is a protected place, by the last parts of its path.
type place struct {
	tail  effects.Tail
	group group
}

// byPlace recognizes files by the last parts of their path. Dialects know the
// settings of agents, so they are not listed here.
var byPlace = [...]place{
	{"scripts/hooks/*.js", wiring}, {"scripts/hooks/*.sh", wiring}, {"scripts/hooks/*.mjs", wiring}, {"scripts/hooks/*.cjs", wiring},
	{".git/hooks/**", gitHooks}, {".husky/**", gitHooks}, {".git/config", gitHooks},

	{".kontourai/flow-agents/*/state.json", sidecar}, {".flow-agents/*/state.json", sidecar},
	{".kontourai/flow-agents/current.json", pointer}, {".flow-agents/current.json", pointer},
	{".kontourai/flow-agents/current/*.json", pointer}, {".flow-agents/current/*.json", pointer},
	{".kontourai/flow-agents/*/trust.bundle", claims}, {".flow-agents/*/trust.bundle", claims},
	{".kontourai/flow-agents/*/command-log.jsonl", record}, {".flow-agents/*/command-log.jsonl", record},
	{".kontourai/flow-agents/.goal-fit-block-streak.json", record}, {".flow-agents/.goal-fit-block-streak.json", record},
	{".kontourai/flow-agents/.denial-streak/**", record}, {".kontourai/flow-agents/.stop-escalation/**", record},
	{".kontourai/flow-agents/.steering-emission/**", record},
	{".flow-agents/lifecycle-authority-keys.json", record}, {".kontourai/flow-agents/lifecycle-authority-keys.json", record},
	{".flow-agents/config/core.config.json", wiring}, {".flow-agents/install.json", wiring}, {".flow-agents/owned-files.json", wiring},
	{"delivery/trust.bundle", delivery}, {"delivery/*/trust.bundle", delivery}, {"delivery/trust.checkpoint.json", delivery},
	{"delivery/*/trust.checkpoint.json", delivery},
}

// places are all protected places.
func places(yield func(place) bool) {
	for _, p := range byPlace {
		if !yield(p) {
			return
		}
	}
	for tail := range standard.Settings {
		if !yield(place{effects.Tail(tail), wiring}) {
			return
		}
	}
}

// of returns why a touched path is protected, and which path that is: the touched
// one, or one below it.
func of(t *effects.Touch) (group, string) {
	for _, name := range t.Names() {
		if g := byName(strings.ToLower(path.Base(filepath.ToSlash(name)))); g != free {
			return g, name
		}
	}
	for p := range places {
		if name, ok := p.tail.Touched(t); ok {
			return p.group, name
		}
	}
	if t.Path.Glob { // it may match more than was looked up
		if g := ofText(t.Path.Abs); g != free {
			return g, t.Path.Abs
		}
	}
	return free, ""
}

// ofText is of for a word that is not a known path: it starts with a variable, or
// is a search pattern.
func ofText(text string) group { return ofWord(text, places) }

// ofWord is ofText where only some places come into question.
func ofWord(text string, places iter.Seq[place]) group {
	text = strings.ToLower(strings.Trim(text, `"'`))
	base := path.Base(text)
	for _, name := range [...]string{base, strings.Trim(base, "*?"), "." + strings.Trim(base, "*?.")} {
		if g := byName(name); g != free {
			return g
		}
	}
	for p := range places {
		if p.tail.Ends(text) {
			return p.group
		}
	}
	return free
}

// scratch reports whether a path is in a temporary directory and not in a project.
// Files there that look like the state of a workflow belong to tests.
func (j *judgement) scratch(file string) bool {
	if !paths.Temp(effects.Path{Abs: file, Real: file}) && !paths.Within(file, world.Temp(world.Of(j.ev))) ||
		paths.Within(file, j.ev.Session.Project) ||
		paths.Within(file, j.ev.Session.Dir) {
		return false
	}
	for dir := filepath.Dir(file); len(dir) > 1; dir = filepath.Dir(dir) {
		if _, err := world.Of(j.ev).Lstat(filepath.Join(dir, ".git")); err == nil {
			return false
		}
	}
	return true
}
