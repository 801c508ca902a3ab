package decode

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// maxServers is how many bytes a file that names servers may have.
const maxServers = 1 << 20

// Locate finds the server of a tool that a host calls by the server's name and its own,
// without a mark: server_tool. Only its settings know which names are those of servers:
// they are under key in files, which are absolute.
func Locate(ev *trammel.Event, w trammel.World, key, between string, files ...string) {
	t := ev.Tool
	if t == nil || t.Action.Server != "" {
		return
	}
	if _, known := ev.Tools[t.Name]; known {
		return
	}
	server, tool := "", ""
	for _, file := range files {
		raw, err := w.ReadFile(file, maxServers)
		if err != nil {
			continue
		}
		obj, _ := strict.Object(raw, strict.Limits{})
		servers, _ := obj[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(servers)) {
			rest, ok := strings.CutPrefix(t.Name, plainName(name)+between)
			if ok && rest != "" && len(name) > len(server) {
				server, tool = name, rest
			}
		}
	}
	if server == "" {
		return
	}
	ev.Tools = maps.Clone(ev.Tools)
	ev.Tools[t.Name] = MCP(server, tool)
	t.Action = ev.Tools.Action(t)
}

// plainName is the name of a server as hosts put it in front of a tool's.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

// In are files of a name in folders.
func In(name string, folders ...string) (out []string) {
	for _, folder := range folders {
		if path.IsAbs(folder) {
			out = append(out, path.Join(folder, name))
		}
	}
	return out
}
