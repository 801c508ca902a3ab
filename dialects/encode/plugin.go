package encode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Plugin writes a verdict for the code that Trammel installs in hosts that do
// not run commands as hooks:
//
//	{"block":true,"reason":"…"}  the call or prompt does not happen
//	{"args":{…}}                 all arguments of the call, as they have to be;
//	                             of a prompt {"prompt":"…"}
//	{"output":"…"}               what the tool is to have said
//	{"context":"…"}              text for the model
//	{"continue":"…"}             the agent goes on with this text
//	{"notice":"…"}               text for the person
//
// If there is nothing to say, stdout is empty and the exit code is 0.
func Plugin(d trammel.HostDialect, ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	dialects.DegradeForHost(d, ev, v)
	return Verdict(v, func(w *strict.Writer, v *trammel.Verdict) { plugin(w, ev, v) })
}

func plugin(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict) {
	switch denied := v.Decision == trammel.Deny; {
	case denied && ev.Kind == trammel.Stop:
		w.Text("continue", v.Reason)
	case denied:
		w.Flag("block", true)
		w.Text("reason", v.Reason)
	default:
		w.Map("args", Input(ev, v))
		if v.Output != nil {
			w.Key("output")
			w.String(*v.Output)
		}
		w.Text("context", Joined(v))
	}
	w.Text("notice", v.Notice)
}
