package cursor

import (
	"maps"
	"path"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// maxServers is how many bytes a file that names servers may have.
const maxServers = 1 << 20

// Locate finds out which server a tool belongs to. The host does not say its
// name; before a call of one of these tools it says how the server is reached,
// and its configuration has the name for that. Where it says nothing, there has
// to be only one.
func (d *dialect) Locate(ev *trammel.Event, w trammel.World) {
	t := ev.Tool
	if t == nil {
		return
	}
	tool, ok := strings.CutPrefix(t.Name, mcp)
	if !ok || t.Action.Server != "" {
		return
	}
	if t.Action.Kind != trammel.MCPAction { // of an event that the host has not sent
		ev.Tools = maps.Clone(ev.Tools)
		ev.Tools[t.Name] = decode.MCP("", tool)
		t.Action = ev.Tools.Action(t)
	}
	url, _ := ev.Fields["url"].(string)
	command, _ := ev.Fields["command"].(string)
	found := map[string]bool{}
	for _, dir := range []string{ev.Session.Project, w.Home()} {
		raw, err := w.ReadFile(path.Join(dir, ".cursor", "mcp.json"), maxServers)
		if dir == "" || err != nil {
			continue
		}
		obj, err := strict.Object(raw, strict.Limits{})
		if err != nil {
			continue
		}
		servers, _ := obj["mcpServers"].(map[string]any)
		for name, entry := range servers {
			if about, _ := entry.(map[string]any); reached(about, url, command) {
				found[name] = true
			}
		}
	}
	if len(found) != 1 {
		return
	}
	for name := range found {
		ev.Tools[t.Name] = decode.MCP(name, tool)
		t.Action = ev.Tools.Action(t)
	}
}

// reached reports whether an entry is of the server that is reached like this.
func reached(entry map[string]any, url, command string) bool {
	switch {
	case url != "":
		at, _ := entry["url"].(string)
		return at != "" && strings.TrimSuffix(at, "/") == strings.TrimSuffix(url, "/")
	case command != "":
		words := []string{}
		if program, ok := entry["command"].(string); ok {
			words = append(words, program)
		}
		args, _ := entry["args"].([]any)
		for _, a := range args {
			word, _ := a.(string)
			words = append(words, word)
		}
		return len(words) > 0 && (strings.Join(words, " ") == command || words[0] == command)
	}
	return entry["command"] != nil || entry["url"] != nil
}
