package opencode

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the form that the plugin acts on. Nothing to
// say is an empty stdout and exit code 0.
func (d Dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	dialects.Degrade(ev, v, dialects.PowersFor(d, ev, v))
	text, err := say(ev, v)
	if err != nil {
		// A rewrite without a JSON form cannot be carried out, so the call must not run.
		text, _ = say(ev, &trammel.Verdict{Answer: trammel.Denial("Trammel's verdict cannot be written as JSON: " + err.Error())})
	}
	if len(text) <= len("{}") {
		return trammel.Reply{}
	}
	return trammel.Reply{Stdout: append(text, '\n')}
}

func say(ev *trammel.Event, v *trammel.Verdict) ([]byte, error) {
	var w strict.Writer
	w.Open()
	denied := v.Decision == trammel.Deny
	if denied {
		w.Flag("block", true)
		w.Text("reason", v.Reason)
	}
	if v.Input != nil && !denied && ev.Tool != nil {
		w.Map("args", v.Apply(ev.Tool.Input))
	}
	if v.Output != nil && !denied {
		w.Key("output")
		w.String(*v.Output)
	}
	if !denied {
		w.Text("context", strings.Join(v.Context, "\n\n"))
	}
	w.Text("notice", v.Notice)
	w.Close()
	return w.Bytes(), w.Err()
}
