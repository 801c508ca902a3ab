package netguard

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// registryOf is where a package manager gets packages from if nobody tells it
// otherwise, and whether this run does.
func registryOf(r *effects.Run) (string, bool) {
	verb := ""
	for _, w := range r.Args {
		if !strings.HasPrefix(w.Text, "-") {
			verb = w.Text
			break
		}
	}
	installs := false
	switch verb {
	case "install", "i", "add", "ci", "update", "upgrade", "up", "get", "sync", "fetch", "publish", "download", "lock", "outdated", "audit",
		"view", "info", "search", "pull", "push",
		"require", "tool", "mod", "exec", "dlx", "create", "init", "x", "run", "build", "package", "deploy":
		installs = true
	}
	switch r.Program {
	case "npm", "pnpm", "yarn", "bun":
		return "registry.npmjs.org", verb == "" && r.Program == "yarn" || installs && verb != "run" && verb != "build"
	case "npx", "pnpx", "bunx":
		return "registry.npmjs.org", true
	case "pip", "pip3", "pipx", "uv", "poetry", "pdm", "conda", "mamba":
		return "pypi.org", installs && verb != "run"
	case "uvx":
		return "pypi.org", true
	case "cargo":
		return "index.crates.io", installs && verb != "run" && verb != "build" && verb != "package"
	case "go":
		return "proxy.golang.org", verb == "get" || verb == "install" || verb == "mod"
	case "gem", "bundle":
		return "rubygems.org", installs && verb != "exec"
	case "composer":
		return "repo.packagist.org", installs
	case "mvn", "gradle", "gradlew", "mvnw":
		return "repo.maven.apache.org", true
	case "docker", "podman":
		return "registry-1.docker.io", verb == "pull" || verb == "push"
	case "brew":
		return "ghcr.io", installs
	}
	return "", false
}
