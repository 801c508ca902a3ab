package encode

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Call is a tool call as a hook program of another system than the host expects
// it.
type Call struct {
	Name  string
	Input map[string]any
	// from says under which name the host has an argument that goes by another
	// one here; "" means under none, because it was made from several.
	from map[string]string
}

// OwnCall is a call as its host has it.
func OwnCall(t *trammel.ToolCall) Call {
	c := Call{Name: t.Name, Input: t.Input}
	if c.Input == nil {
		c.Input = map[string]any{}
	}
	return c
}

// Tools are the names of tools that take the usual arguments, as file_path.
type Tools struct{ Shell, Write, Edit, Read, Fetch string }

// Present is the call of another host under one of these names; otherwise the
// one of OfServer.
func (n *Tools) Present(t *trammel.ToolCall) Call {
	a := &t.Action
	path := OnePath(a)
	switch {
	case a.Kind == trammel.ShellAction:
		return Renamed(t, n.Shell, map[string]string{"command": a.Command})
	case a.Kind == trammel.WriteAction && path != "":
		return Renamed(t, n.Write, map[string]string{"file_path": path, "content": a.Content})
	case a.Kind == trammel.EditAction && path != "":
		return Renamed(t, n.Edit, map[string]string{"file_path": path, "new_string": a.Content})
	case a.Kind == trammel.ReadAction && path != "":
		return Renamed(t, n.Read, map[string]string{"file_path": path})
	case a.Kind == trammel.FetchAction:
		return Renamed(t, n.Fetch, map[string]string{"url": a.URL})
	}
	return OfServer(t)
}

// OfServer is a call as its host has it, or of a tool of an MCP server under
// the name that most hosts give it.
func OfServer(t *trammel.ToolCall) Call {
	c := OwnCall(t)
	if a := &t.Action; a.Kind == trammel.MCPAction && a.Server != "" && !strings.HasPrefix(t.Name, "mcp__") {
		c.Name = "mcp__" + a.Server + "__" + a.Tool
	}
	return c
}

// OnePath is the path of an action that has exactly one, else "".
func OnePath(a *trammel.Action) string {
	if len(a.Paths) != 1 {
		return ""
	}
	return a.Paths[0]
}

// Understood reports whether programs that know these tools understand the call
// as it is: the name is one of theirs, and so are those of the arguments. A
// tool with the usual name of an MCP tool is.
func Understood(tools trammel.Shapes, t *trammel.ToolCall) bool {
	if strings.HasPrefix(t.Name, "mcp__") {
		return true
	}
	_, known := tools[t.Name]
	return known && reflect.DeepEqual(tools.Action(t), t.Action)
}

// Renamed is the call under another name, with the wanted arguments instead of
// those with the same values. Empty ones are left out.
func Renamed(t *trammel.ToolCall, name string, want map[string]string) Call {
	maps.DeleteFunc(want, func(_, value string) bool { return value == "" })
	c := Call{Name: name, Input: maps.Clone(t.Input), from: make(map[string]string, len(want))}
	if c.Input == nil {
		c.Input = map[string]any{}
	}
	for key, value := range want {
		if c.from[key] = source(t.Input, key, value); c.from[key] != "" {
			delete(c.Input, c.from[key])
		}
	}
	for key, value := range want {
		c.Input[key] = value
	}
	return c
}

// Made is a call that was put together from several arguments and cannot be
// taken apart again.
func Made(name, key, value string) Call {
	return Call{Name: name, Input: map[string]any{key: value}, from: map[string]string{key: ""}}
}

// source finds the argument that holds a value: the one of the same name, or
// else the only one.
func source(input map[string]any, key, value string) string {
	if input[key] == value {
		return key
	}
	found := ""
	for name, v := range input {
		if v == value {
			if found != "" {
				return ""
			}
			found = name
		}
	}
	return found
}

// Patch turns the arguments that a program wants into a patch in the host's own
// names. Unchanged arguments are not a rewrite. key is their field, for errors.
func (c Call) Patch(f *strict.Fields, key string, updated map[string]any) map[string]any {
	var patch map[string]any
	for _, arg := range slices.Sorted(maps.Keys(updated)) {
		value := updated[arg]
		if old, there := c.Input[arg]; there && reflect.DeepEqual(old, value) {
			continue
		}
		name, renamed := c.from[arg]
		if !renamed {
			name = arg
		}
		if name == "" {
			f.Refuse(key+"."+arg, fmt.Sprintf("it unchanged: the host's tool has no single argument for it, where %s has", c.Name))
			return nil
		}
		if patch == nil {
			patch = map[string]any{}
		}
		patch[name] = value
	}
	return patch
}
