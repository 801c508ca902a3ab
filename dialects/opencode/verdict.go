package opencode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the form that the plugin acts on. Nothing to
// say is an empty stdout and exit code 0.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	dialects.Settle(d, ev, v)
	return encode.Verdict(v, func(w *strict.Writer, v *trammel.Verdict) { encode.Plugin(w, ev, v) })
}
