package pi

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/encode"
)

// EncodeVerdict writes a verdict in the form that the extension acts on.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	return encode.Plugin(d, ev, v)
}

// LimitPowers removes what is done only with some answers: of a prompt, only the
// text can be rewritten.
func (d *dialect) LimitPowers(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	return dialects.PromptOnly(ev, v, d.Host.LimitPowers(ev, v, p))
}
