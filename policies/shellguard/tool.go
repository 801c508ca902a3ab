package shellguard

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
)

// destroys reports whether a tool of a server removes something that matters, by
// the words of its name: delete_repository, kubectl_delete, flushall.
func destroys(call *trammel.ToolCall) bool {
	if call.Action.Kind != trammel.MCPAction && call.Action.Kind != trammel.OtherAction {
		return false
	}
	name := call.Action.Tool
	name = cmp.Or(name, call.Name)
	removes, thing := false, false
	for _, word := range wordsOf(name) {
		switch strings.TrimSuffix(word, "s") {
		case "destroy", "terminate", "nuke", "wipe", "decommission", "flushall", "flushdb", "prune":
			return true
		case "delete", "remove", "drop", "purge", "erase", "truncate", "uninstall", "cancel", "flush", "deprovision":
			removes = true
		case "repository", "repositorie", "repo", "branch", "branche", "database", "db", "table", "collection", "namespace", "cluster", "bucket",
			"project", "account", "user", "organization", "org", "team", "secret", "volume", "snapshot", "backup", "stack", "instance", "server",
			"deployment", "environment", "index", "stream", "queue", "topic", "domain", "zone", "record", "app", "application", "function",
			"release", "service", "site", "workspace", "schema", "droplet", "vm", "node", "pod", "kubectl", "resource", "customer",
			"subscription", "webhook", "image", "container", "dataset", "bucketobject", "key", "role", "policy", "dashboard", "pipeline",
			"many", "all", "everything":
			thing = true
		}
	}
	if !removes {
		verb, _ := call.Input["command"].(string)
		removes = thing && (verb == "delete" || verb == "destroy" || verb == "drain")
	}
	return removes && thing || asksToDelete(call.Input, 0)
}

// asksToDelete reports whether arguments are a request that deletes something: by
// the method of HTTP, or as a mutation of GraphQL.
func asksToDelete(v any, depth int) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			text, _ := value.(string)
			switch strings.ToLower(name) {
			case "method", "http_method", "httpmethod", "verb":
				if strings.EqualFold(text, "DELETE") {
					return true
				}
			case "query", "mutation", "graphql", "document":
				if deletingMutation(text) {
					return true
				}
			}
			if depth < maxDeep && asksToDelete(value, depth+1) {
				return true
			}
		}
	case []any:
		for _, value := range v {
			if depth < maxDeep && asksToDelete(value, depth+1) {
				return true
			}
		}
	}
	return false
}

// maxDeep bounds how far into arguments a request is looked for; what is deeper
// is a doubt of the reading.
const maxDeep = 32

// deletingMutation reports whether a text is a mutation of GraphQL that removes
// something.
func deletingMutation(text string) bool {
	text = strings.TrimSpace(strings.TrimPrefix(text, "query="))
	_, body, ok := strings.Cut(text, "{")
	if !ok || !strings.HasPrefix(text, "mutation") {
		return false
	}
	for _, word := range wordsOf(strings.NewReplacer("(", " ", "{", " ", "\n", " ", ",", " ").Replace(body)) {
		switch word {
		case "delete", "remove", "destroy", "archive", "purge", "drop", "transfer":
			return true
		}
	}
	return false
}

// toolSends judges what a tool itself sends: secrets that its code reads.
func (j *judge) toolSends(n *model.Net) {
	for i := range j.set.Files {
		if f := &j.set.Files[i]; n.Sends && !local(n.Host) && f.Run < 0 && f.Op == effects.Read && j.secret(f) {
			j.add("exfiltration", where(f.Path)+" → "+n.Host)
		}
	}
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
