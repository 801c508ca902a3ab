package evidence

import (
	"sync"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// digests computes, once, the digests of the input of hooks inside the process.
// They read no bytes, so the canonical form is used instead.
type digests struct {
	ev        *trammel.Event
	rewritten *trammel.Event // nil if nothing was rewritten
	raw       string         // of what the host sent, for events without a tool

	first, last string
}

// call is the digest of the tool call as hooks of a phase saw it: transforms
// start with the original, all others judge what will run.
func (d *digests) call(phase trammel.Phase) string {
	if d.ev.Tool == nil {
		return d.raw
	}
	if phase != trammel.Transforms && d.rewritten != nil && d.rewritten.Tool != nil {
		if d.last == "" {
			d.last = callDigest(d.rewritten.Tool)
		}
		return d.last
	}
	if d.first == "" {
		d.first = callDigest(d.ev.Tool)
	}
	return d.first
}

func callDigest(t *trammel.ToolCall) string {
	o := open(nil)
	o.value("input", t.Input)
	o.raw("name", t.Name)
	return canonical.Digest(o.close())
}

// answerDigest is the digest of an answer's canonical form. Nothing is
// redacted: a digest reveals nothing. Most hooks say nothing.
func answerDigest(a *trammel.Answer) string {
	if a.Decision == trammel.None && a.Reason == "" && a.Input == nil && a.Output == nil && a.Context == nil && a.Notice == "" &&
		a.Summary == "" && a.Facts == nil && a.Signals == nil && a.Diagnostics == nil && a.Findings == nil && a.Approval == "" {
		return nothing()
	}
	return digestOf(a)
}

var nothing = sync.OnceValue(func() string { return digestOf(&trammel.Answer{}) })

func digestOf(a *trammel.Answer) string {
	var few [512]byte
	o := open(few[:0])
	o.raw("approval", a.Approval)
	o.list("context", a.Context)
	o.raw("decision", a.Decision.String())
	o.list("diagnostics", a.Diagnostics)
	if len(a.Facts) > 0 {
		o.value("facts", a.Facts)
	}
	appendObjects(&o, "findings", a.Findings, func(f trammel.Finding, o *object) {
		o.raw("code", f.Code)
		o.raw("severity", f.Severity)
		o.raw("target", f.Target)
	})
	if a.Input != nil {
		o.value("input", a.Input)
	}
	o.raw("notice", a.Notice)
	if a.Output != nil {
		o.value("output", *a.Output)
	}
	o.raw("reason", a.Reason)
	appendObjects(&o, "signals", a.Signals, func(s trammel.Signal, o *object) {
		o.raw("code", s.Code)
		o.raw("kind", s.Kind)
		if len(s.Payload) > 0 {
			o.value("payload", s.Payload)
		}
		o.raw("severity", s.Severity)
	})
	o.raw("summary", a.Summary)
	return canonical.Digest(o.close())
}
