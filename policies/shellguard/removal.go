package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
)

// The effect of a word in a command or in a tool's name.
const (
	nothing = iota
	works   // it shows or creates something: names follow
	takes   // it removes something that can be recreated
	removes // it removes permanently, if the word for the thing says so
	wipes   // it removes permanently
)

func verb(word string) int {
	switch strings.TrimSuffix(word, "s") {
	case "destroy", "terminate", "nuke", "wipe", "decommission", "flushall", "flushdb", "dropall", "obliterate":
		return wipes
	case "delete", "drop", "purge", "erase", "truncate", "flush", "del", "deletion", "expunge", "deprovision":
		return removes
	case "remove", "rm", "uninstall", "cancel", "deregister", "deactivate", "suspend", "unregister", "prune", "forget", "reset",
		"undefine", "teardown":
		return takes
	case "create", "list", "describe", "show", "get", "set", "update", "deploy", "l", "log", "login", "add", "run", "start",
		"config", "new",
		"help", "view", "print", "search", "find", "exec", "test", "build", "push", "pull", "install", "generate", "init",
		"commit", "lint",
		"check", "apply", "edit", "plan", "diff", "info", "statu", "stat", "export", "import", "copy", "cp", "put", "inspect",
		"open", "fmt":
		return works
	}
	return nothing
}

// thing reports whether a word names something whose loss matters.
func thing(word string) bool {
	switch strings.TrimSuffix(word, "s") {
	case "repository", "repositorie", "repo", "branch", "branche", "database", "db", "table", "collection", "namespace",
		"cluster", "bucket",
		"project", "account", "user", "organization", "organisation", "org", "team", "secret", "volume", "snapshot", "backup",
		"stack", "instance",
		"server", "deployment", "environment", "index", "indice", "stream", "queue", "topic", "domain", "zone", "record", "app",
		"application",
		"function", "release", "service", "site", "workspace", "schema", "droplet", "vm", "node", "pod", "kubectl", "resource",
		"customer",
		"subscription", "webhook", "image", "container", "dataset", "bucketobject", "key", "role", "policy", "policie",
		"dashboard", "pipeline",
		"many", "all", "everything", "tenant", "keyspace", "pool", "disk", "partition", "filesystem", "share", "archive",
		"vault", "registry",
		"measurement", "shard", "replica", "broker", "exchange", "vhost", "blob", "drive", "certificate", "credential",
		"network", "vpc",
		"subnet", "gateway", "firewall", "loadbalancer", "host", "machine", "device", "realm", "mailbox", "stanza", "number", "group",
		"production", "prod", "helm", "chart", "trash", "terraform":
		return true
	}
	return false
}

// removal judges a program that is told to remove something, by its first words:
// acmectl cluster destroy. For a known program this counts only if it acts on
// another system, and its row does not cover the words.
func (j *judge) removal(i int, area string) {
	r := &j.set.Runs[i]
	_, known := programs.Lookup(r.Program)
	if known && !slices.Contains([]string{"cloud", "cluster", "storage", "infrastructure"}, area) {
		return
	}
	worst, named, forced, trial, words := nothing, false, false, false, 0
	if !known && !strings.Contains(r.Path, "/") {
		worst, named = cmdlet(r.Program)
	}
	for n, w := range r.Args[:min(len(r.Args), 24)] {
		option := strings.HasPrefix(w.Text, "-")
		switch name, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(w.Text, "-")), "="); {
		case !option:
			words++
		case name == "help", name == "dry-run", name == "dryrun", name == "whatif", name == "version",
			name == "h" && n == len(r.Args)-1:
			return
		case name == "y", slices.ContainsFunc(wordsOf(name), sure):
			forced = true
		}
		if !w.Known || len(w.Text) > 60 || strings.ContainsAny(w.Text, " /\n=") || words > 4 {
			continue
		}
		does, of := nothing, false
		for _, word := range wordsOf(w.Text) {
			does, of = max(does, verb(word)), of || thing(word)
			trial = trial || word == "test" || word == "scenario" || word == "preview" || word == "sandbox"
		}
		switch {
		case option && (known || does < removes || !of): // --delete-after says how, --delete-cluster what
		case does == works && worst == nothing && !option: // what follows are names
			return
		default:
			worst, named = max(worst, does), named || of
		}
		forced = forced || !option && sure(strings.ToLower(w.Text))
	}
	switch {
	case worst >= removes && (named || forced), worst == takes && named && forced:
		j.add("tool_destroys", j.line(i))
	case known || worst < takes || worst == takes && !named:
	case trial, strings.Contains(r.Path, "/") && paths.Within(path.Join(r.Dir.Abs, r.Path),
		j.ground.Project): // it is made again; it is read
		j.add("unknown_verb", j.line(i))
	default:
		j.add("unknown_removal", j.line(i))
	}
}

// cmdlet returns what a program's own name says: Remove-AzVM, drop-database.
func cmdlet(name string) (does int, named bool) {
	verb1, rest, ok := strings.Cut(name, "-")
	if does = verb(verb1); !ok || does < takes || verb1 == "reset" {
		return nothing, false
	}
	switch rest {
	case "variable", "module", "event", "job", "alias", "pssession", "psbreakpoint", "typedata", "psdrive", "cimsession",
		"appxpackage", "orphan":
		return nothing, false
	}
	service := func(begin string) bool { return strings.HasPrefix(rest, begin) }
	return removes, slices.ContainsFunc(wordsOf(rest), thing) || slices.ContainsFunc([]string{"az", "ad", "gpo", "mg"}, service)
}

// sure reports whether a word suppresses the confirmation.
func sure(word string) bool {
	switch word {
	case "force", "yes", "confirm", "confirmed", "noconfirm", "approve", "noinput", "noninteractive", "silent", "cascade", "everything":
		return true
	}
	return false
}
