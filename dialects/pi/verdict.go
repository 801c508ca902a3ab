package pi

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/encode"
)

// EncodeVerdict says a verdict in the form that the extension acts on.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	return encode.Plugin(d, ev, v)
}

// Narrow takes away what is done only with some answers: of a prompt the text
// is rewritten and nothing else.
func (d *dialect) Narrow(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	return dialects.PromptOnly(ev, v, d.Host.Narrow(ev, v, p))
}
