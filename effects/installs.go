package effects

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/names"
	"github.com/trammel-dev/trammel/effects/programs"
)

// packagesOf returns the packages that a run installs, or runs, and their registry:
// npm, pypi or crates; "" if it does neither.
func packagesOf(r *Run) (registry string, packages []Word) {
	program, skip := r.Program, 1
	switch program {
	case "npm", "pnpm", "yarn", "bun":
		registry = "npm"
	case "npx", "bunx", "pnpx":
		registry, skip = "npm", 0
	case "pip", "pip3", "pipx", "poetry", "pdm", "uv", "uvx", "rye":
		registry = "pypi"
		if program == "uvx" {
			skip = 0
		}
	case "cargo":
		registry = "crates"
	case "python", "python3":
		if len(r.Args) > 2 && r.Args[0].Text == "-m" && r.Args[1].Text == "pip" {
			return packagesOf(&Run{Program: "pip", Args: r.Args[2:]})
		}
		return "", nil
	default:
		return "", nil
	}
	a := programs.Parse(r)
	words := a.Operands
	if a.Separator >= 0 {
		words = words[:a.Separator] // the rest are arguments for the program it runs
	}
	if len(words) > 0 && (program == "uv" && (a.Word(0) == "pip" || a.Word(0) == "tool") || program == "yarn" && a.Word(0) == "global") {
		words = words[1:]
	}
	runs := skip == 0
	if skip > 0 {
		if len(words) == 0 || !adds(words[0].Text) {
			return "", nil
		}
		switch words[0].Text {
		case "dlx", "exec", "x":
			runs = true
		}
		words = words[1:]
	}
	if runs && len(words) > 1 {
		words = words[:1]
	}
	for i := 1; program == "uv" && i < len(words); i++ {
		if before := words[i-1].Text; before == "--python" || before == "-p" { // which interpreter, as in cpython@3.12
			words = slices.Delete(slices.Clone(words), i, i+1)
		}
	}
	return registry, words
}

// adds reports whether a word is a package manager's subcommand for installing.
func adds(word string) bool {
	switch word {
	case "install", "i", "in", "add", "dlx", "exec", "x", "inject", "download":
		return true
	}
	return false
}

// takes is how a run takes code from an address that it is told: programs.Adopts says
// so, it is a package manager that installs, or it adds a plugin.
func takes(r *Run) string {
	if how := programs.Adopts(r); how != "" {
		return how
	}
	if registry, _ := packagesOf(r); registry != "" || plugs(r) {
		return "adopts"
	}
	return ""
}

// plugs reports whether a run adds a plugin or an extension to a program: helm plugin
// install, asdf plugin add, pre-commit try-repo.
func plugs(r *Run) bool {
	for i, w := range r.Args {
		switch w.Text {
		case "plugin", "plugins", "plugin-add", "plugin-install", "extension", "extensions", "addon", "tap", "krew", "try-repo",
			"marketplace", "--install-extension", "--manifest-url":
			return true
		}
		if i > 2 {
			break
		}
	}
	return false
}

// atOnce returns what a run takes as a program to run, now or later: the package
// of npx, the source that cargo installs from.
func atOnce(r *Run) (words []string) {
	verbs := ""
	switch r.Program {
	case "npx", "bunx", "pnpx", "uvx":
	case "npm", "pnpm", "yarn", "bun":
		verbs = "exec dlx x"
	case "pipx", "uv":
		verbs = "run install tool"
	case "cargo":
		verbs = "install"
	case "go":
		verbs = "run"
	case "nix":
		verbs = "run shell develop"
	default:
		return nil
	}
	told := verbs == ""
	for i := 0; i < len(r.Args); i++ {
		name, value, joined := strings.Cut(r.Args[i].Text, "=")
		switch {
		case name == "--":
		case strings.HasPrefix(name, "-"):
			switch strings.TrimLeft(name, "-") {
			case "p", "package", "from", "spec", "with", "git", "registry":
				if i++; !joined && i < len(r.Args) {
					value = r.Args[i].Text
				} else {
					i--
				}
				words = append(words, value)
			case "rev": // a fixed revision
				return nil
			}
		case verbs != "" && slices.Contains(strings.Fields(verbs), name):
			told = true
		case !told:
			return nil // a different subcommand
		default:
			return append(words, r.Args[i].Text)
		}
	}
	return words
}

// repository reports whether a text names a code repository without a fixed
// version: github:a/b, git+https://x/y, github.com/a/b@latest.
func repository(text string) bool {
	if at := strings.Index(text, "@git+"); at > 0 {
		text = text[at+1:]
	}
	place, version := text, ""
	if at := strings.LastIndexAny(text, "@#"); at > 0 {
		place, version = text[:at], text[at+1:]
	}
	if len(version) >= 40 || strings.HasPrefix(version, "v") && strings.Count(version, ".") > 1 {
		return false
	}
	if host, _, ok := strings.Cut(place, "/"); ok && strings.IndexByte(host, '.') > 0 && !strings.Contains(host, ":") {
		switch host {
		case "github.com", "gitlab.com", "bitbucket.org":
			return version != "" // otherwise the project names it already
		}
		return version != "" && !names.Registry(host)
	}
	scheme, rest, _ := strings.Cut(place, ":")
	switch scheme {
	case "github", "gitlab", "bitbucket", "gist":
		return !strings.HasPrefix(strings.ToLower(rest), "nixos/")
	}
	return strings.HasPrefix(rest, "//") && scheme != "file" && !local(hostOf(place))
}
