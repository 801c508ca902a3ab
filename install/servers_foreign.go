package install

import (
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/trammel-dev/trammel/dialects"
)

// Why init cannot put the proxy in front of a server (MCP-71).
const (
	byPlugin = "a plugin adds it, and rewrites it with each update"
	byAdmin  = "an administrator has set it"
)

// foreignServers are the servers from plugins and administrators. Files that
// cannot be read are skipped: the host says what is wrong with them.
func foreignServers(env Env, h *dialects.Host) (out []Server) {
	known := h.Facts()
	home, _ := env.dir(h)
	for _, from := range []struct {
		base, whose string
		patterns    []string
	}{{home, byPlugin, known.PluginServers}, {env.Root, byAdmin, known.ManagedServers}} {
		for _, pattern := range from.patterns {
			paths, err := filepath.Glob(filepath.Join(globQuote(from.base), filepath.FromSlash(pattern)))
			if err != nil || from.base == "" {
				continue
			}
			for _, path := range paths {
				for _, s := range serversIn(path, h) {
					one := s.status(path)
					if !one.Behind {
						one.Whose = from.whose
					}
					out = append(out, one)
				}
			}
		}
	}
	return out
}

// serversIn are the servers that a file names. A plugin's file may contain
// nothing else.
func serversIn(path string, h *dialects.Host) (out []*server) {
	src, there, err := read(path)
	if err != nil || !there || blank(src) {
		return nil
	}
	if filepath.Ext(path) == ".toml" {
		return tomlServers(src, h.Servers[0].Key)
	}
	d, err := parse(src)
	if err != nil {
		return nil
	}
	take := func(name string, v *hujson.Value) { out = append(out, jsonServer(src, name, v, false)) }
	for _, key := range []string{"mcpServers", h.Servers[0].Key} {
		if find(d.obj, key) != nil {
			under(d.obj, strings.Split(key, "."), take)
			return out
		}
	}
	if filepath.Base(path) == ".mcp.json" {
		under(d.obj, nil, take)
	}
	return out
}
