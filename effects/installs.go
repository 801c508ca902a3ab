package effects

import (
	"strings"

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
	case "gem", "apt", "apt-get", "yum", "dnf", "zypper", "brew", "apk", "conda", "mamba", "snap", "choco", "winget", "composer", "luarocks",
		"cpan",
		"cpanm", "nix-env", "easy_install", "go", "opam":
		return word == "install" || word == "add" || word == "get" || word == "require" || word == "i" || word == "localinstall" || r.Program ==
			"easy_install" || r.Program == "cpanm"
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
