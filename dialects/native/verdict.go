package native

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict writes a verdict. The exit code is 0 only if the event may
// continue.
func (Dialect) EncodeVerdict(_ *trammel.Event, v *trammel.Verdict) trammel.Reply {
	var w strict.Writer
	w.Open()
	w.Text("decision", v.Decision.String())
	writeAnswer(&w, &v.Answer)
	w.Flag("granted", v.Granted)
	w.Flag("canceled", v.Canceled)
	strict.Each(&w, "degraded", v.Degraded, func(d trammel.Degradation) { w.Texts("wanted", d.Wanted, "became", d.Became, "why", d.Why) })
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

// unsaid is the reply if a hook's answer cannot be written as JSON: it must not
// count as consent.
func unsaid(err error) trammel.Reply {
	var w strict.Writer
	w.Open()
	w.Texts("decision", trammel.Deny.String(), "reason", "Trammel's verdict cannot be written as JSON: "+err.Error())
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
	w.Texts("notice", a.Notice, "summary", a.Summary)
	w.Map("facts", a.Facts)
	strict.Each(w, "signals", a.Signals, func(s trammel.Signal) {
		w.Texts("kind", s.Kind, "code", s.Code, "severity", s.Severity)
		w.Map("payload", s.Payload)
	})
	w.List("diagnostics", a.Diagnostics)
	strict.Each(w, "findings", a.Findings, func(f trammel.Finding) {
		w.Texts("code", f.Code, "severity", f.Severity, "target", f.Target)
	})
}
