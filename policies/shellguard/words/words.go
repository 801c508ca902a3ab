package words

import (
	"slices"
	"strings"
)

// The effect of a word in a command or in a tool's name.
const (
	Nothing = iota
	Works   // it shows or creates something: names follow
	Takes   // it removes something that can be recreated
	Removes // it removes permanently, if the word for the thing says so
	Wipes   // it removes permanently
)

// Verb returns what a word says is done.
func Verb(word string) int {
	switch strings.TrimSuffix(word, "s") {
	case "destroy", "terminate", "nuke", "wipe", "decommission", "flushall", "flushdb", "dropall", "obliterate", "zeroize",
		"factoryreset", "factorydefault":
		return Wipes
	case "delete", "drop", "purge", "erase", "truncate", "flush", "del", "deletion", "expunge", "deprovision", "unpublish",
		"undeploy", "reformat", "rmr", "tombstone":
		return Removes
	case "remove", "rm", "uninstall", "cancel", "deregister", "deactivate", "suspend", "unregister", "prune", "forget", "reset",
		"undefine", "teardown", "offboard":
		return Takes
	case "create", "list", "describe", "show", "get", "set", "update", "deploy", "l", "log", "login", "add", "run", "start",
		"config", "new", "help", "view", "print", "search", "find", "exec", "test", "build", "push", "pull", "install",
		"generate", "init", "commit", "lint", "check", "apply", "edit", "plan", "diff", "info", "statu", "stat", "export",
		"import", "copy", "cp", "put", "inspect", "open", "fmt":
		return Works
	}
	return Nothing
}

// Thing reports whether a word names something whose loss matters.
func Thing(word string) bool {
	switch strings.TrimSuffix(word, "s") {
	case "repository", "repositorie", "repo", "branch", "branche", "database", "db", "table", "collection", "namespace",
		"cluster", "bucket", "project", "account", "user", "organization", "organisation", "org", "team", "secret", "volume",
		"snapshot", "backup", "stack", "instance", "server", "deployment", "environment", "index", "indice", "stream", "queue",
		"topic", "domain", "zone", "record", "app", "application", "function", "release", "service", "site", "workspace",
		"schema", "droplet", "vm", "node", "pod", "kubectl", "resource", "customer", "subscription", "webhook", "image",
		"container", "dataset", "bucketobject", "key", "role", "policy", "policie", "dashboard", "pipeline", "many", "all",
		"everything", "tenant", "keyspace", "pool", "disk", "partition", "filesystem", "share", "archive", "vault", "registry",
		"measurement", "shard", "vps", "replica", "broker", "exchange", "vhost", "blob", "drive", "certificate", "credential",
		"network", "vpc", "subnet", "gateway", "firewall", "loadbalancer", "host", "machine", "device", "realm", "mailbox",
		"serie", "svc", "stanza", "number", "group", "production", "prod", "helm", "chart", "trash", "terraform", "dn", "factory":
		return true
	}
	return false
}

// Kept reports whether a word names something that people keep on a server, and that
// a tool called delete removes for good.
func Kept(word string) bool {
	switch strings.TrimSuffix(word, "s") {
	case "object", "space", "folder", "mailbox", "issue", "page", "document", "doc", "spreadsheet", "sheet", "product",
		"order", "payment", "invoice", "company", "companie", "contact", "lead", "deal", "ticket", "incident", "campaign", "article", "post",
		"version", "package", "artifact", "workflow", "integration", "token", "board", "channel", "model", "asset", "playlist", "trash",
		"block", "event", "email", "mail", "note", "card", "row", "thread", "meeting", "form", "entry", "entrie", "segment", "flag",
		"audience", "template", "monitor", "schedule", "connector":
		return true
	}
	return false
}

// Cmdlet returns what a program's own name says: Remove-AzVM, drop-database.
func Cmdlet(name string) (does int, named bool) {
	if strings.HasSuffix(name, "-destroy") || strings.HasSuffix(name, "-wipe") { // lxc-destroy
		return Wipes, true
	}
	if at := strings.LastIndexByte(name, '-'); at > 0 && Verb(name[at+1:]) >= Takes && !strings.HasPrefix(name, "git-") { // qvm-remove
		return Verb(name[at+1:]), false
	}
	if before, what, ok := strings.Cut(name, "delete"); ok && before != "un" && Thing(what) { // mqsideletebroker
		return Removes, true
	}
	for _, verb := range [...]string{"drop", "delete", "destroy", "purge", "wipe"} {
		if what, ok := strings.CutSuffix(name, verb); ok && Thing(strings.Trim(what, "-_")) { // tabledrop
			return Verb(verb), true
		}
	}
	verb1, rest, ok := strings.Cut(name, "-")
	if does = Verb(verb1); !ok || does < Takes || verb1 == "reset" {
		return Nothing, false
	}
	switch rest {
	case "variable", "module", "event", "job", "alias", "pssession", "psbreakpoint", "typedata", "psdrive", "cimsession",
		"appxpackage", "orphan":
		return Nothing, false
	}
	service := func(begin string) bool { return strings.HasPrefix(rest, begin) }
	return Removes, slices.ContainsFunc(Of(rest), Thing) || slices.ContainsFunc([]string{"az", "ad", "gpo", "mg"}, service)
}

// Sure reports whether a word suppresses the confirmation.
func Sure(word string) bool {
	switch word {
	case "force", "yes", "confirm", "confirmed", "noconfirm", "approve", "noinput", "noninteractive", "silent", "cascade", "everything",
		"overwrite", "nointeraction", "noprompt", "assumeyes", "skipconfirmation", "skipprompt", "autoapprove", "really",
		"nodryrun":
		return true
	}
	for _, begin := range [...]string{"iknow", "iam", "yesi", "acceptdataloss", "allowdataloss", "iunderstand"} {
		if strings.HasPrefix(word, begin) {
			return true
		}
	}
	return false
}

// Executes reports whether a word in a function's name says that it executes a
// statement.
func Executes(word string) bool {
	return slices.Contains([]string{"execute", "exec", "query", "raw", "sql", "statement", "command", "unsafe", "do", "prepare"}, word)
}

// Connection reports whether a name is typical for a database or service client.
func Connection(word string) bool {
	return slices.Contains([]string{"sequelize", "engine", "metadata", "connection", "conn", "prisma", "objects", "kv", "s3",
		"ec2", "boto3", "stripe", "github", "gitlab", "octokit", "supabase", "firestore", "redis", "mongo", "mongoose",
		"elastic", "knex", "orm", "datasource"}, word)
}
