package kiro

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/encode"
)

// EncodeVerdict writes a verdict in the form that Kiro accepts: a denial is
// exit code 2 with its reason on stderr, context is plain text. Notices go to
// stderr with exit code 0; another exit code would show them, but wiring that
// fails closed would treat it as a failure.
func (d *dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	dialects.DegradeForHost(d, ev, v)
	if v.Decision == trammel.Deny {
		return encode.Exit(v.Reason)
	}
	var r trammel.Reply
	if len(v.Context) > 0 {
		r.Stdout = []byte(encode.Joined(v) + "\n")
	}
	return encode.Notice(r, v)
}
