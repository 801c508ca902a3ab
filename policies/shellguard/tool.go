package shellguard

import (
	"strings"
	"unicode"

	"github.com/trammel-dev/trammel"
)

// destroys reports whether a tool of a server removes something that matters, by
// the words of its name: delete_repository, kubectl_delete, flushall.
func destroys(call *trammel.ToolCall) bool {
	if call.Action.Kind != trammel.MCPAction && call.Action.Kind != trammel.OtherAction {
		return false
	}
	name := call.Action.Tool
	if name == "" {
		name = call.Name
	}
	removes, thing := false, false
	for _, word := range wordsOf(name) {
		switch word {
		case "delete", "remove", "destroy", "drop", "purge", "terminate", "erase", "wipe", "truncate", "uninstall", "nuke", "decommission":
			removes = true
		case "flushall", "flushdb":
			return true
		case "repository", "repo", "branch", "database", "db", "table", "collection", "namespace", "cluster", "bucket", "project", "account",
			"user", "users", "organization", "org", "team", "secret", "volume", "snapshot", "backup", "stack", "instance", "server", "deployment",
			"environment", "index", "stream", "queue", "topic", "domain", "zone", "record", "records", "app", "application", "function", "release",
			"service", "site", "workspace", "schema", "droplet", "vm", "node", "pod", "kubectl", "resource", "customer", "subscription", "webhook":
			thing = true
		}
	}
	if !removes {
		verb, _ := call.Input["command"].(string)
		removes = thing && (verb == "delete" || verb == "destroy" || verb == "drain")
	}
	return removes && thing
}

// wordsOf cuts a name into words: delete_repository, deleteRepository.
func wordsOf(name string) (out []string) {
	begin := 0
	cut := func(end int) {
		if word := strings.Trim(name[begin:end], "_-. /:"); word != "" {
			out = append(out, strings.ToLower(word))
		}
		begin = end
	}
	lower := false
	for i, r := range name {
		if strings.ContainsRune("_-. /:", r) || unicode.IsUpper(r) && lower {
			cut(i)
		}
		lower = unicode.IsLower(r)
	}
	cut(len(name))
	return out
}
