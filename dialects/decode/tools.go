package decode

import (
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
)

// MCP is the shape of a tool of an MCP server, for hosts whose names do not
// say which server it is. The arguments of such a tool are unknown, so what
// is usually a command, a path or a URL is taken for one.
func MCP(server, tool string) trammel.Shape {
	return trammel.Shape{
		Kind: trammel.MCPAction,
		Parse: func(input map[string]any, a *trammel.Action) {
			*a = trammel.Loose(input)
			a.Kind, a.Server, a.Tool = trammel.MCPAction, server, tool
		},
	}
}

// Several reads an argument that is a list of objects, each about one edit or
// file: it adds their texts to the content and their paths to the paths.
func Several(list, text, path string) func(map[string]any, *trammel.Action) {
	return func(input map[string]any, a *trammel.Action) {
		entries, _ := input[list].([]any)
		var texts []string
		for _, e := range entries {
			entry, _ := e.(map[string]any)
			if s, ok := entry[text].(string); ok {
				texts = append(texts, s)
			}
			if p, ok := entry[path].(string); ok {
				a.Paths = append(a.Paths, p)
			}
		}
		if a.Content != "" && len(texts) > 0 {
			texts = append([]string{a.Content}, texts...)
		}
		if len(texts) > 0 {
			a.Content = strings.Join(texts, "\n")
		}
	}
}

// Patches reads arguments that are patches; without names any may be one.
func Patches(names ...string) func(map[string]any, *trammel.Action) {
	return func(input map[string]any, a *trammel.Action) {
		names := names
		if len(names) == 0 {
			names = slices.Sorted(maps.Keys(input))
		}
		var all []string
		for _, name := range names {
			if text, ok := input[name].(string); ok {
				all = append(all, text)
			}
		}
		ReadPatch(strings.Join(all, "\n"), a)
	}
}
