package readonly

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// verbOf is the subcommand and what follows it, past options before it; values
// names those options that take one.
func verbOf(args []effects.Word, values string) (string, []effects.Word) {
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		if !args[i].Known {
			return "", nil
		}
		if !strings.HasPrefix(text, "-") {
			return text, args[i+1:]
		}
		if strings.Contains(" "+values+" ", " "+text+" ") {
			i++
		}
	}
	return "", nil
}

func has(args []effects.Word, flags ...string) bool {
	for _, w := range args {
		for _, flag := range flags {
			if w.Text == flag || strings.HasPrefix(w.Text, flag+"=") {
				return true
			}
		}
	}
	return false
}

func operands(args []effects.Word) int {
	n := 0
	for _, w := range args {
		if !strings.HasPrefix(w.Text, "-") {
			n++
		}
	}
	return n
}

// subcommandReads knows tools of many subcommands, of which some only read.
func subcommandReads(r *effects.Run) bool {
	if len(r.Args) == 1 && (r.Args[0].Text == "--version" || r.Args[0].Text == "-V" || r.Args[0].Text == "--help") {
		return true
	}
	verb, rest := verbOf(r.Args, "-n --namespace --context -C --cwd --prefix --profile --region --project -f --file -H --host --kubeconfig "+
		"-R --repo")
	sub, _ := verbOf(rest, "")
	in := func(words ...string) bool {
		for _, w := range words {
			if w == verb {
				return true
			}
		}
		return false
	}
	switch r.Program {
	case "go":
		return in("list", "version", "doc", "help") || verb == "env" && !has(rest, "-w", "-u") || verb == "mod" &&
			(sub == "graph" || sub == "why" || sub == "verify")
	case "npm", "pnpm", "yarn", "bun":
		return in("ls", "list", "ll", "view", "info", "show", "outdated", "why", "explain", "search", "root", "bin", "ping", "whoami",
			"help") || verb == "config" && (sub == "get" || sub == "list")
	case "pip", "pip3", "uv", "poetry", "pipx", "conda":
		return in("list", "show", "freeze", "check", "search", "env", "info", "tree", "help") && verb+sub != "envcreate"
	case "cargo", "rustup", "rustc":
		return in("tree", "metadata", "search", "version", "help", "show", "pkgid", "locate-project", "read-manifest")
	case "docker", "podman":
		return in("ps", "images", "logs", "inspect", "version", "info", "top", "stats", "port", "diff", "history", "search", "events") ||
			in("container", "image", "volume", "network", "context", "compose", "system", "node", "service") &&
				(sub == "ls" || sub == "list" || sub == "inspect" || sub == "ps" || sub == "logs" || sub == "config" || sub == "df" || sub == "images")
	case "kubectl", "oc", "k":
		return in("get", "describe", "logs", "top", "version", "explain", "api-resources", "api-versions", "cluster-info", "diff", "events") ||
			verb == "config" && (sub == "view" || sub == "get-contexts" || sub == "current-context") ||
			verb == "auth" && sub == "can-i" || verb == "rollout" && (sub == "status" || sub == "history")
	case "helm":
		return in("list", "ls", "status", "history", "get", "show", "template", "lint", "search", "version", "env")
	case "terraform", "tofu":
		return in("show", "validate", "version", "providers", "graph", "output") || verb == "state" && (sub == "list" || sub == "show") ||
			verb == "workspace" && (sub == "list" || sub == "show")
	case "gh", "glab":
		return sub == "list" || sub == "view" || sub == "status" || sub == "diff" || sub == "checks" || in("status", "search", "version")
	case "systemctl":
		return in("status", "list-units", "list-unit-files", "is-active", "is-enabled", "show", "cat")
	case "journalctl":
		return !has(r.Args, "--vacuum-size", "--vacuum-time", "--vacuum-files", "--rotate", "--flush")
	case "trammel":
		return in("list", "explain", "status", "events", "policies", "schema", "version", "doctor") || verb == "evidence" &&
			(sub == "" || sub == "list" || sub == "show" || sub == "verify")
	}
	return false
}
