package fit

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/programs/options"
)

// Verb is the class, destroy or change, of the verb in `tool group group verb name` and `tool group:verb`.
// Names come last, so only the first words can be verbs.
func Verb(a *options.Args) string {
	for n := range a.Operands[:min(5, len(a.Operands))] {
		word := a.Operands[n].Text
		if group, verb, ok := strings.Cut(word, ":"); ok && n == 0 && group != "" {
			if word = verb; word == "reset" {
				return "destroy"
			}
		}
		if verb, _, ok := strings.Cut(word, "_"); ok && n == 0 { // delete_queue
			word = verb
		}
		word = strings.TrimSuffix(word, "-batch") // delete-batch
		// service-instance-delete
		if at := strings.LastIndexByte(word, '-'); at > 0 && n > 0 && a.Operands[n].Known && word != "restore-backup" {
			word = word[at+1:]
		}
		switch word {
		case "delete", "destroy", "terminate", "purge", "wipe", "nuke":
			return "destroy"
		case "rebuild", "reinstall", "reimage", "restore", "reset", "rollback", "restore-backup":
			if n > 0 && overwrites(a.Operands[n-1].Text, word) {
				return "destroy"
			}
		case "rm", "remove":
			if n < 2 || Given("-f|--force|-y|--yes", a) {
				return "destroy"
			}
			return "change"
		case "create", "list", "describe", "show", "get", "set", "update", "deploy", "ls", "logs", "login", "add", "run", "start", "config":
			return open(word, a)
		}
	}
	return open("", a)
}

// open is change if an option lets everybody in: firewall rules for 0.0.0.0/0, a role for
// allUsers. What only goes out is no door.
func open(verb string, a *options.Args) string {
	switch verb {
	case "list", "describe", "show", "get", "ls", "logs", "config":
		return ""
	}
	names := func(text string, some ...string) bool {
		return slices.ContainsFunc(some, func(one string) bool { return strings.Contains(strings.ToLower(text), one) })
	}
	everybody := func(text string) bool {
		return names(text, "0.0.0.0/0", "::/0", "allusers", "allauthenticatedusers", "any-user", "255.255.255.255")
	}
	var all, in, out bool
	way := func(name string) (outwards bool) {
		outwards = names(name, "dest", "outbound", "outgoing", "egress")
		in = in || !outwards && names(name, "source", "src", "inbound", "ingress")
		out = out || outwards
		return outwards
	}
	for i := range a.Given {
		if !way(a.Given[i].Name) {
			all = all || everybody(a.Given[i].Value.Text)
		}
		way(a.Given[i].Value.Text) // --direction=egress
	}
	for i := range a.Operands { // the value of an option that the row does not list
		switch text := a.Operands[i].Text; text {
		case "egress", "outbound", "outgoing", "ingress", "inbound":
			way(text)
		default:
			all = all || everybody(text)
		}
	}
	if all && (in || !out) {
		return "change"
	}
	return ""
}

// overwrites reports whether what a word names loses what it holds if it is made again,
// or set to what it was before: server rebuild, branches reset. To reset a server is to
// start it again.
func overwrites(word, verb string) bool {
	switch strings.TrimSuffix(word, "s") {
	case "database", "db", "branch", "branche":
		return true
	case "server", "instance", "linode", "droplet-action", "vm", "machine", "baremetal", "volume", "disk", "cluster":
		return verb != "reset"
	}
	return false
}

// Starter is the index of the first word that does not only start the next one.
func Starter(a *options.Args) int {
	for i := range a.Operands {
		if t := a.Operands[i].Text; t != "exec" && t != "run" && t != "dlx" && t != "x" {
			return i
		}
	}
	return len(a.Operands)
}
