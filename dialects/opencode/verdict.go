package opencode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/encode"
)

// EncodeVerdict writes a verdict in the form that the plugin acts on.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	return encode.Plugin(d, ev, v)
}
