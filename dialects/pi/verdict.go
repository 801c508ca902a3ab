package pi

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the form that the extension acts on. Nothing
// to say is an empty stdout and exit code 0.
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
	switch {
	case denied && ev.Kind == trammel.Stop:
		w.Text("continue", v.Reason)
	case denied:
		w.Flag("block", true)
		w.Text("reason", v.Reason)
	default:
		change(&w, ev, v)
	}
	w.Text("notice", v.Notice)
	w.Close()
	return w.Bytes(), w.Err()
}

// change writes what is to be different when the event goes on.
func change(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict) {
	if v.Input != nil {
		args := v.Input
		if ev.Tool != nil {
			args = v.Apply(ev.Tool.Input)
		}
		w.Map("args", args)
	}
	if v.Output != nil {
		w.Key("output")
		w.String(*v.Output)
	}
	w.Text("context", strings.Join(v.Context, "\n\n"))
}
