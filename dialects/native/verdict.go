package native

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict writes a verdict. The exit code is 0 only if the event may go on.
func (Dialect) EncodeVerdict(_ *trammel.Event, v *trammel.Verdict) trammel.Reply {
	var w strict.Writer
	w.Open()
	w.Text("decision", v.Decision.String())
	writeAnswer(&w, &v.Answer)
	w.Flag("granted", v.Granted)
	w.Flag("canceled", v.Canceled)
	if len(v.Degraded) > 0 {
		w.Key("degraded")
		w.OpenList()
		for _, d := range v.Degraded {
			w.Open()
			w.Text("wanted", d.Wanted)
			w.Text("became", d.Became)
			w.Text("why", d.Why)
			w.Close()
		}
		w.CloseList()
	}
	w.Close()
	if err := w.Err(); err != nil {
		return unsaid(err)
	}
	r := trammel.Reply{Stdout: append(w.Bytes(), '\n')}
	if !v.Proceed() {
		r.Exit = 2
	}
	return r
}

// unsaid is the reply when a hook's answer has no JSON form: what cannot be
// said whole must not be taken for consent.
func unsaid(err error) trammel.Reply {
	var w strict.Writer
	w.Open()
	w.Text("decision", trammel.Deny.String())
	w.Text("reason", "Trammel's verdict cannot be written as JSON: "+err.Error())
	w.Close()
	return trammel.Reply{Stdout: append(w.Bytes(), '\n'), Exit: 2}
}

func writeAnswer(w *strict.Writer, a *trammel.Answer) {
	w.Text("reason", a.Reason)
	w.Map("input", a.Input)
	if a.Output != nil {
		w.Key("output")
		w.String(*a.Output)
	}
	w.List("context", a.Context)
	w.Text("notice", a.Notice)
	w.Text("summary", a.Summary)
	w.Map("facts", a.Facts)
	if len(a.Signals) > 0 {
		w.Key("signals")
		w.OpenList()
		for _, s := range a.Signals {
			w.Open()
			w.Text("kind", s.Kind)
			w.Text("code", s.Code)
			w.Text("severity", s.Severity)
			w.Map("payload", s.Payload)
			w.Close()
		}
		w.CloseList()
	}
	w.List("diagnostics", a.Diagnostics)
	if len(a.Findings) > 0 {
		w.Key("findings")
		w.OpenList()
		for _, f := range a.Findings {
			w.Open()
			w.Text("code", f.Code)
			w.Text("severity", f.Severity)
			w.Text("target", f.Target)
			w.Close()
		}
		w.CloseList()
	}
}
