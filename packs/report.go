package packs

import (
	"github.com/trammel-dev/trammel/dialects/fst"
)

// Report is an outcome for display: the result in the protocol's own fields,
// and details of the call.
type Report struct {
	Hook        string         `json:"hook_id"`
	Status      string         `json:"status"`
	Valid       *bool          `json:"valid,omitempty"`
	Diagnostics []string       `json:"diagnostics"`
	Facts       map[string]any `json:"facts,omitempty"`
	Rendered    *string        `json:"rendered,omitempty"`
	Candidates  []any          `json:"candidate_artifacts,omitempty"`
	Failure     *Failure       `json:"failure,omitempty"`
	Route       Route          `json:"route_of_failure,omitempty"`
	Runtime     string         `json:"runtime_id"`
	Kind        string         `json:"runtime_kind"`
	Entrypoint  string         `json:"entrypoint_hash,omitempty"`
	Input       string         `json:"input_hash,omitempty"`
	Output      string         `json:"output_hash,omitempty"`
	Stderr      string         `json:"stderr,omitempty"`
	Micros      int64          `json:"micros"`
	Evidence    uint64         `json:"evidence,omitempty"` // the number of the record
}

// Failure is why a call failed.
type Failure struct {
	Code       string    `json:"code"`
	Diagnostic fst.Fault `json:"diagnostic"`
	Field      string    `json:"field,omitempty"` // which one it is about
}

// Report shows the outcome.
func (o *Outcome) Report() Report {
	r := Report{
		Hook: o.Hook, Status: o.Result.Status, Valid: o.Result.Valid, Diagnostics: o.Result.Diagnostics, Facts: o.Result.Facts,
		Rendered: o.Result.Rendered, Candidates: o.Result.Candidates, Route: o.Route, Runtime: o.Runtime, Kind: o.Kind,
		Entrypoint: o.Entrypoint, Input: o.Input, Output: o.Output, Stderr: o.Stderr, Micros: o.Micros, Evidence: o.Receipt.Seq,
	}
	if r.Diagnostics == nil {
		r.Diagnostics = []string{}
	}
	if o.Fault != "" {
		r.Failure = &Failure{string(o.Fault.Code()), o.Fault, o.Field}
	}
	return r
}

// fields are the fields of the result, as named in test cases.
func (o *Outcome) fields() map[string]any {
	texts := make([]any, len(o.Result.Diagnostics))
	for i, s := range o.Result.Diagnostics {
		texts[i] = s
	}
	m := map[string]any{"status": o.Result.Status, "diagnostics": texts}
	if o.Result.Valid != nil {
		m["valid"] = *o.Result.Valid
	}
	if o.Result.Facts != nil {
		m["facts"] = o.Result.Facts
	}
	if o.Result.Rendered != nil {
		m["rendered"] = *o.Result.Rendered
	}
	return m
}
