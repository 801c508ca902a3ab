package copilot

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// Locate implements dialects.ServerLocator.
func (dialect) Locate(ev *trammel.Event, w trammel.World) {
	files := append(decode.In("mcp-config.json", w.Home()+"/.copilot"), decode.In(".mcp.json", ev.Session.Project, ev.Session.Dir)...)
	decode.Locate(ev, w, "mcpServers", "-", files...)
}
