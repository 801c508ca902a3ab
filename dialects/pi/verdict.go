package pi

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/encode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the form that the extension acts on. Nothing
// to say is an empty stdout and exit code 0.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	dialects.Settle(d, ev, v)
	return encode.Verdict(v, func(w *strict.Writer, v *trammel.Verdict) { encode.Plugin(w, ev, v) })
}

// Narrow takes away what is done only with some answers: of a prompt the text
// is rewritten and nothing else.
func (d *dialect) Narrow(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	return dialects.PromptOnly(ev, v, d.Host.Narrow(ev, v, p))
}
