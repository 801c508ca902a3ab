package words

import "strings"

// maxNested is how deep arguments are searched for what a tool is to do.
const maxNested = 3

// Operation are the words by which arguments say what a tool is to do, and to what.
func Operation(input map[string]any, depth int) (out []string) {
	for name, value := range input {
		says := operates(strings.ToLower(name))
		switch v := value.(type) {
		case string:
			if says && len(v) < 80 && !strings.Contains(v, " ") {
				out = append(out, Of(v)...)
			} else if v == "*" && selects(name) {
				out = append(out, "all")
			}
		case bool:
			if v && Verb(name) == Wipes { // {"destroy": true}
				out = append(out, name)
			}
		case map[string]any:
			if len(v) == 0 && selects(name) {
				out = append(out, "all")
			}
			if said := Of(name); len(said) > 1 && Verb(said[0]) >= Removes { // {"deleteMany": {}}
				out = append(out, said...)
			}
			if depth < maxNested && !texts(name) {
				out = append(out, Operation(v, depth+1)...)
			}
		}
	}
	return out
}

// operates reports whether an argument of this name says what is done, or to what kind of thing.
func operates(name string) bool {
	switch name {
	case "mutation", "intent", "method", "entity", "command", "cmd", "operation", "operationname",
		"operation_name", "action", "op", "verb", "kind", "resourcetype", "resource_type", "target_type",
		"targettype", "object_type", "entity_type":
		return true
	}
	return false
}

// selects reports whether an argument of this name says which of many are meant.
func selects(name string) bool {
	switch strings.ToLower(name) {
	case "filter", "where", "selector", "pattern", "key", "keys", "match", "query":
		return true
	}
	return false
}

// texts reports whether what is below an argument of this name is data.
func texts(name string) bool {
	switch strings.ToLower(name) {
	case "data", "content", "contents", "document", "documents", "body", "fields", "properties", "metadata", "values", "schema":
		return true
	}
	return false
}
