package prodconfigguard

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/world"
)

// looks reports whether a run only shows something, or is a dry run. Selecting
// production for later commands is not looking.
func looks(r *effects.Run) bool {
	var words []string
	for _, w := range r.Args {
		switch text := w.Text; {
		case text == "--help", text == "-h", text == "--version", text == "--dry-run", text == "--dry-run=client", text == "--dry-run=server",
			text == "--dryrun", text == "--check", text == "--noop":
			return text != "-h" || len(r.Args) == 1
		case !strings.HasPrefix(text, "-") && len(words) < 3:
			words = append(words, text)
		}
	}
	switch r.Program {
	case "psql", "mysql", "mariadb", "mongosh", "mongo", "redis-cli", "clickhouse-client", "sqlcmd", "ansible", "ansible-playbook":
		return false // their words do not say what they do
	}
	for _, word := range words {
		if chooses(word) {
			return false
		}
	}
	for _, word := range words {
		if reads(word) {
			return true
		}
	}
	return false
}

func chooses(word string) bool {
	return slices.Contains([]string{"use-context", "select", "use", "set", "set-context", "switch", "delete", "rm", "apply", "create",
		"put", "exec", "edit", "patch", "run"}, word)
}

func reads(word string) bool {
	switch word {
	case "get", "describe", "logs", "log", "top", "version", "explain", "diff", "list", "ls", "show", "view", "status", "plan",
		"validate", "fmt", "output", "history", "events", "cluster-info", "api-resources", "auth", "template", "lint", "search",
		"whoami", "help", "get-contexts", "current-context", "providers", "graph", "dependency", "package", "preview", "tail",
		"info", "ps", "images", "inspect", "wait", "synth":
		return true
	}
	return strings.HasPrefix(word, "describe-") || strings.HasPrefix(word, "list-") || strings.HasPrefix(word, "get-")
}

// current looks up the selected cluster or workspace, if the command names none.
func (j *judgement) current(r *effects.Run) (string, bool) {
	switch r.Program {
	case "kubectl", "oc", "helm", "helmfile":
		for _, w := range r.Args {
			if strings.HasPrefix(w.Text, "--context") || strings.HasPrefix(w.Text, "--kube-context") || strings.HasPrefix(w.Text, "--kubeconfig") {
				return "", false // one is named, and it is not production
			}
		}
		file := world.Getenv(j.ev)("KUBECONFIG")
		if file == "" {
			file = filepath.Join(world.Of(j.ev).Home(), ".kube", "config")
		}
		for line := range strings.Lines(j.text(file)) {
			if value, ok := strings.CutPrefix(line, "current-context:"); ok && j.named(value) {
				return "the current context is " + strings.Trim(strings.TrimSpace(value), `"'`), true
			}
		}
	case "terraform", "tofu":
		if value := strings.TrimSpace(j.text(filepath.Join(r.Dir.Abs, ".terraform", "environment"))); r.Dir.Known() && j.named(value) {
			return "the selected workspace is " + value, true
		}
		if r.Dir.Known() && j.production(filepath.Join(r.Dir.Abs, "main.tf")) {
			return r.Dir.Abs, true
		}
	}
	return "", false
}

// text returns the content of a file, "" if there is none.
func (j *judgement) text(file string) string {
	data, _ := world.Of(j.ev).ReadFile(file, 1<<20)
	return string(data)
}
