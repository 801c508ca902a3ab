package pages

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Key is one key of a file: its path, and what the schema says about it.
type Key struct {
	Path   string
	Schema *jsonschema.Schema
}

// Keys are all keys of a schema by their path: hooks[].match.tool, and
// mcp.servers.*.pins where names are free. Options of policies are on their own pages.
func Keys(s *jsonschema.Schema) map[string]Key {
	keys := map[string]Key{}
	var walk func(*jsonschema.Schema, string)
	walk = func(s *jsonschema.Schema, at string) {
		if s == nil {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			path := strings.TrimPrefix(at+"."+name, ".")
			keys[path] = Key{path, s.Properties[name]}
			walk(s.Properties[name], path)
		}
		walk(s.Items, at+"[]")
		walk(s.AdditionalProperties, at+".*")
		for _, inner := range s.AnyOf {
			walk(inner, at)
		}
	}
	walk(s, "")
	return keys
}

// Type says in words what a value may be.
func Type(s *jsonschema.Schema) string {
	switch {
	case len(s.Enum) > 12:
		return "name"
	case len(s.Enum) > 0:
		var words []string
		for _, e := range s.Enum {
			words = append(words, "`"+fmt.Sprint(e)+"`")
		}
		return strings.Join(words, ", ")
	case len(s.AnyOf) > 0:
		var kinds []string
		for _, inner := range s.AnyOf {
			if kind := Type(inner); kind != "" && !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
		if len(kinds) > 1 && strings.HasPrefix(kinds[1], "list of ") && strings.Contains(kinds[0], "`") {
			kinds[1] = "a list of them"
		}
		return strings.Join(kinds, " or ")
	case strings.Contains(s.Pattern, "µs"):
		return "duration"
	case strings.Contains(s.Pattern, "KiB"):
		return "size"
	case strings.Contains(s.Pattern, "%"):
		return "percentage"
	case s.Type == "boolean":
		return "true or false"
	case s.Type == "string":
		return "text"
	case s.Type == "array" && s.Items != nil:
		return "list of " + plural(Type(s.Items))
	case s.Type == "object" && s.AdditionalProperties != nil && len(s.Properties) == 0 && s.AdditionalProperties.Not == nil:
		return "mapping of names to " + plural(Type(s.AdditionalProperties))
	case s.Type == "object":
		return "mapping"
	}
	return s.Type
}

func plural(kind string) string {
	switch {
	case strings.Contains(kind, "`"), strings.Contains(kind, " "), kind == "text":
		return kind
	}
	return kind + "s"
}
