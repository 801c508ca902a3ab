package reach

import (
	"slices"

	"github.com/trammel-dev/trammel"
)

// Report is an answer in the making: of all that is found the strictest
// decision counts, and the first reason for it is given.
type Report struct{ Answer trammel.Answer }

// Add notes what was found. The words allow and none, as a person may have
// chosen them in the options, mean that nothing was. A finding says itself how
// severe it is, or its decision does.
func (r *Report) Add(d trammel.Decision, f trammel.Finding, reason string) {
	if d < trammel.Ask {
		return
	}
	if d > r.Answer.Decision {
		r.Answer.Decision, r.Answer.Reason = d, reason
	}
	if f.Severity == "" {
		if f.Severity = "error"; d == trammel.Ask {
			f.Severity = "warning"
		}
	}
	if !slices.Contains(r.Answer.Findings, f) {
		r.Answer.Findings = append(r.Answer.Findings, f)
	}
}

// Decision is what a word of the options means: allow, ask or deny.
func Decision(word string) trammel.Decision {
	d, err := trammel.ParseDecision(word)
	if err != nil {
		return trammel.Deny // no word that the options could have taken
	}
	return d
}
