package effects

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/names"
	"github.com/trammel-dev/trammel/effects/programs"
)

// packagesOf are the packages that a run installs, or runs from a registry: npm,
// pypi or crates; "" if it does nothing of the kind.
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
		words = words[:a.Separator] // the rest are arguments of what it runs
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
	return registry, words
}

// adds knows the words by which package managers install.
func adds(word string) bool {
	switch word {
	case "install", "i", "in", "add", "dlx", "exec", "x", "inject", "download":
		return true
	}
	return false
}

// adopts reports whether a run takes code from where it is told: package managers
// that install, and what applies the files of others.
func adopts(r *Run) bool {
	if plugs(r) {
		return true
	}
	if registry, _ := packagesOf(r); registry != "" {
		return true
	}
	word := ""
	for _, w := range r.Args {
		if !strings.HasPrefix(w.Text, "-") {
			word = w.Text
			break
		}
	}
	switch r.Program {
	case "kubectl", "oc", "k3s":
		return word == "apply" || word == "create" || word == "replace"
	case "helm":
		return word == "install" || word == "upgrade" || word == "repo" || word == "template"
	case "nix-shell", "nix-build", "guix":
		return true
	case "terraform", "tofu", "terragrunt":
		return word == "init"
	case "copier", "cookiecutter", "degit", "cruft":
		return true
	case "easy_install", "cpanm":
		return true
	case "gem", "apt", "apt-get", "yum", "dnf", "zypper", "brew", "apk", "conda", "mamba", "snap", "choco", "winget", "composer", "luarocks",
		"cpan", "nix-env", "go", "opam", "pkg", "microdnf", "scoop", "raco", "shards", "nimble", "stack", "cabal", "mix":
		switch word {
		case "install", "add", "get", "require", "i", "localinstall", "reinstall", "create-project", "archive.install", "escript.install":
			return true
		}
	case "rpm", "dpkg":
		return true
	case "git":
		for _, w := range r.Args {
			if w.Text == "clone" || w.Text == "pull" || w.Text == "fetch" || w.Text == "submodule" {
				return true
			}
		}
	case "deno":
		return word == "install" || word == "run" || word == "cache" || word == "add"
	case "docker", "podman", "nerdctl":
		return word == "pull" || word == "run" || word == "build"
	}
	return false
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

// atOnce is what a run takes as a program that it runs, or that people will: the
// package of npx, what cargo installs from.
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
			case "p", "package", "from", "spec", "with", "git":
				if i++; !joined && i < len(r.Args) {
					value = r.Args[i].Text
				} else {
					i--
				}
				words = append(words, value)
			case "rev": // one that does not change
				return nil
			}
		case verbs != "" && slices.Contains(strings.Fields(verbs), name):
			told = true
		case !told:
			return nil // it does something else
		default:
			return append(words, r.Args[i].Text)
		}
	}
	return words
}

// repository reports whether a text says where somebody keeps code, and not which
// version of it: github:a/b, git+https://x/y, github.com/a/b@latest.
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
			return version != "" // else the project names it already
		}
		return version != "" && !names.Registry(host)
	}
	scheme, rest, _ := strings.Cut(place, ":")
	switch scheme {
	case "github", "gitlab", "bitbucket", "gist":
		return !strings.HasPrefix(strings.ToLower(rest), "nixos/")
	}
	return strings.HasPrefix(rest, "//") && scheme != "file"
}
