package shellguard

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
)

// destroys reports whether a server's tool removes something important, by the words
// of its name: delete_repository, kubectl_delete, flushall.
func destroys(call *trammel.ToolCall) bool {
	if !foreign(call) {
		return false
	}
	name := call.Action.Tool
	name = cmp.Or(name, call.Name)
	gone, what, sure, kept, bulk := false, false, false, false, false
	for _, word := range append(wordsOf(name), operation(call.Input)...) {
		does := verb(word)
		if does == wipes || strings.HasPrefix(word, "prune") {
			return true
		}
		bulk = bulk || word == "bulk" || word == "batch"
		gone, sure, what = gone || does >= takes || word == "empty", sure || does >= removes, what || thing(word)
		kept = kept || keeps(word)
	}
	if verb, _ := call.Input["command"].(string); verb == "delete" || verb == "destroy" || verb == "drain" {
		gone = true
	}
	return gone && what || sure && (kept || bulk) || asksToDelete(call.Input, 0)
}

// operation are the words by which the arguments of a tool for many things say what it
// is to do, and to what: {"operation": "DeleteDBInstance"}, {"kind": "Namespace"}.
func operation(input map[string]any) (words []string) {
	for _, field := range [...]string{"operation", "operationName", "operation_name", "action", "kind", "resourceType", "resource_type"} {
		if text, _ := input[field].(string); len(text) < 80 {
			words = append(words, wordsOf(text)...)
		}
	}
	command, _ := input["command"].(map[string]any) // of MongoDB: {"dropDatabase": 1}
	for name := range command {
		words = append(words, wordsOf(name)...)
	}
	for name, value := range input {
		if value == true && verb(name) == wipes { // {"destroy": true}
			words = append(words, name)
		}
	}
	return words
}

// keeps reports whether a word names something that people keep on a server, and that
// a tool called delete removes for good.
func keeps(word string) bool {
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

// grants reports whether a tool gives somebody rights, or removes the protection of a
// branch, by the words of its name: add_collaborator, update_branch_protection.
func grants(call *trammel.ToolCall) bool {
	if !foreign(call) {
		return false
	}
	gives, right := false, false
	for _, word := range wordsOf(cmp.Or(call.Action.Tool, call.Name)) {
		switch strings.TrimSuffix(word, "s") {
		case "add", "create", "update", "set", "grant", "invite", "attach", "put", "assign":
			gives = true
		case "collaborator", "protection", "permission", "role", "iam", "policy", "admin", "owner", "member":
			right = true
		case "list", "get", "search", "describe", "check":
			return false
		}
	}
	return gives && right
}

// foreign reports whether a tool belongs to a server, or is unknown.
func foreign(call *trammel.ToolCall) bool {
	return call.Action.Kind == trammel.MCPAction || call.Action.Kind == trammel.OtherAction
}

// showsSecret reports whether a server's tool returns a secret, by the words of its
// name, which are the same as for programs: get_secret, reveal-password.
func showsSecret(call *trammel.ToolCall) bool {
	if call.Action.Kind != trammel.MCPAction && call.Action.Kind != trammel.OtherAction {
		return false
	}
	r := model.Run{Program: "(tool)"}
	for _, word := range wordsOf(cmp.Or(call.Action.Tool, call.Name)) {
		r.Args = append(r.Args, model.Word{Text: word, Known: true})
	}
	for _, field := range [...]string{"resourceType", "resource_type", "resource", "kind", "type"} { // and one by its name
		if kind, _ := call.Input[field].(string); kind != "" && call.Input["name"] != nil {
			r.Args = append(r.Args, model.Word{Text: strings.ToLower(kind), Known: true})
		}
	}
	if programs.Reveals(&r) {
		return true
	}
	r.Program = strings.ToLower(call.Action.Server) // of one that is named after what it is for: vault
	return r.Program == "vault" && programs.Reveals(&r)
}

// asksToDelete reports whether arguments are a request that deletes something: by
// its HTTP method, or as a GraphQL mutation.
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
			case "path", "url", "endpoint":
				if strings.Contains(text, "/_delete_by_query") {
					return true
				}
			case "query", "mutation", "graphql", "document":
				if gone, _ := deletingMutation(text); gone {
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

// maxDeep limits how deep arguments are searched for a request; anything deeper is
// a doubt from reading the call.
const maxDeep = 32

// deletingMutation reports whether a text is a GraphQL mutation that removes
// something, and whether its loss matters.
func deletingMutation(text string) (gone, what bool) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "query="))
	_, body, ok := strings.Cut(text, "{")
	if !ok || !strings.HasPrefix(text, "mutation") {
		return false, false
	}
	for _, word := range wordsOf(strings.NewReplacer("(", " ", "{", " ", "\n", " ", ",", " ").Replace(body)) {
		switch word {
		case "delete", "remove", "destroy", "archive", "purge", "drop", "transfer":
			gone = true
		case "ref":
			what = true
		}
		what = what || thing(word)
	}
	return gone, gone && what
}

// toolSends judges what a tool itself sends: secrets that its code reads, or gets from
// the programs that it starts.
func (j *judge) toolSends(n *model.Net) {
	if !n.Sends || local(n.Host) {
		return
	}
	for i := range j.set.Files {
		if f := &j.set.Files[i]; f.Run < 0 && f.Op == effects.Read && j.secret(f) {
			j.add("exfiltration", where(f.Path)+" → "+j.goal(n))
		}
	}
	for i := range j.set.Runs {
		if j.set.Runs[i].By < 0 && (j.dumps(i) || j.exportsKey(i)) {
			j.add("exfiltration", j.line(i)+" → "+j.goal(n))
		}
	}
}

// wordsOf splits a name into words: delete_repository, deleteRepository.
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
		_, size := utf8.DecodeRuneInString(name[i:])
		next, _ := utf8.DecodeRuneInString(name[i+size:])
		if strings.ContainsRune("_-. /:", r) || unicode.IsUpper(r) && (lower || unicode.IsLower(next)) { // DBInstance
			cut(i)
		}
		lower = unicode.IsLower(r)
	}
	cut(len(name))
	return out
}
