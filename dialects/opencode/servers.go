package opencode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// Locate implements dialects.ServerLocator.
func (dialect) Locate(ev *trammel.Event, w trammel.World) {
	home := w.Home()
	decode.Locate(ev, w, "mcp", "_", decode.In("opencode.json", ev.Session.Project, ev.Session.Dir, home+"/.config/opencode",
		ev.Session.Project+"/.opencode")...)
}
