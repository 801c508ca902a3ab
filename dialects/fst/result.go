package fst

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel/internal/strict"
)

// Contract is what a result is checked against.
type Contract struct {
	Allowed   []string // the fields that the manifest allows
	Forbidden Names
	// Artifacts is true if the manifest names artifacts among the allowed
	// fields. Even then they are only candidates.
	Artifacts bool
}

// Result is what a hook answered. A failure has the Status "error", and only
// its diagnostics are used.
type Result struct {
	Status      string
	Valid       *bool // only of artifact.validate, and false in every failure
	Diagnostics []string
	Facts       map[string]any
	Rendered    *string
	// Call is the ID of the call that it says it belongs to, if it does.
	Call string
	// Candidates are artifacts that the hook proposes. They have no effect
	// until they are admitted.
	Candidates []any
}

// Failed is the result of every failure with this fault.
func Failed(f Fault) Result {
	no := false
	return Result{Status: "error", Valid: &no, Diagnostics: []string{string(f)}}
}

// OK reports whether the hook succeeded, whatever it found.
func (r *Result) OK() bool { return r.Status == "ok" }

// maxDepth is how deep results may be nested.
const maxDepth = 64

// Decode reads a result of a hook of this type: one JSON object. If any of it
// is wrong, none of it is used, and the error wraps a Fault.
func Decode(raw []byte, t Type, c Contract) (Result, error) {
	if name, found := c.Forbidden.In(raw); found {
		return Result{}, &Refusal{Forbidden, name}
	}
	switch kind := jsontext.Value(bytes.TrimSpace(raw)).Kind(); kind {
	case '{':
	case '"', '0', '[', 't', 'f', 'n':
		if !jsontext.Value(raw).IsValid() {
			return Result{}, NotJSON
		}
		return Result{}, NotObject
	default:
		return Result{}, NotJSON
	}
	obj, err := strict.Object(raw, strict.Limits{Depth: maxDepth})
	if err != nil {
		return Result{}, refusal(raw)
	}
	call, isText := obj[callID].(string)
	if obj[callID] == nil || isText { // it belongs to the call, not to what the contract is about
		delete(obj, callID)
	}
	if field, f := checkFields(obj, t, c); f != "" {
		return Result{}, &Refusal{f, field}
	}
	r, f := fill(obj, t)
	if f != "" {
		return Result{}, f
	}
	r.Call = call
	return r, nil
}

// Refusal is a fault and the name of the field that it is about.
type Refusal struct {
	Fault Fault
	Field string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s", r.Fault, r.Field) }

// Unwrap is the fault.
func (r *Refusal) Unwrap() error { return r.Fault }

// refusal says why an object was refused: it is not JSON, it has a duplicate
// key, it is nested too deeply, or its numbers are too large.
func refusal(raw []byte) Fault {
	v := jsontext.Value(raw)
	switch {
	case v.IsValid():
		return Unreadable
	case v.IsValid(jsontext.AllowDuplicateNames(true)):
		return DuplicateKey
	}
	return NotJSON
}

// checkFields checks the names against the contract and the type, and returns
// the first that is wrong. A failure of any type may say that it is not valid,
// as the protocol's own example does.
func checkFields(obj map[string]any, t Type, c Contract) (notOfType string, _ Fault) {
	for _, name := range slices.Sorted(maps.Keys(obj)) {
		if !slices.Contains(Fields(), name) || !slices.Contains(c.Allowed, name) || name == "artifacts" && !c.Artifacts {
			return name, NotAllowed
		}
		failure := name == "valid" && obj["status"] == "error"
		if notOfType == "" && !t.MayProduce(name) && !failure {
			notOfType = name
		}
	}
	if notOfType != "" {
		return notOfType, NotOfType
	}
	return "", ""
}

func fill(obj map[string]any, t Type) (r Result, _ Fault) {
	r.Status, _ = obj["status"].(string)
	if r.Status != "ok" && r.Status != "error" {
		return r, BadStatus
	}
	if list, there := obj["diagnostics"]; there {
		texts, ok := list.([]any)
		if !ok {
			return r, BadDiagnostics
		}
		for _, v := range texts {
			text, ok := v.(string)
			if !ok {
				return r, BadDiagnostics
			}
			r.Diagnostics = append(r.Diagnostics, text)
		}
	}
	if v, there := obj["facts"]; there {
		facts, ok := v.(map[string]any)
		if !ok {
			return r, BadFacts
		}
		r.Facts = facts
	}
	if v, there := obj["artifacts"]; there {
		list, ok := v.([]any)
		if !ok || slices.ContainsFunc(list, func(v any) bool { _, object := v.(map[string]any); return !object }) {
			return r, BadArtifacts
		}
		r.Candidates = list
	}
	valid, isBool := obj["valid"].(bool)
	_, said := obj["valid"]
	text, isText := obj["rendered"].(string)
	_, rendered := obj["rendered"]
	switch {
	case said && !isBool, r.OK() && t == Validate && !said:
		return r, BadValid
	case !r.OK() && valid:
		return r, ValidFailure
	case rendered && !isText, r.OK() && t == Render && !rendered:
		return r, BadRendered
	case !r.OK():
		return Result{Status: "error", Valid: new(bool), Diagnostics: r.Diagnostics}, ""
	}
	if said {
		r.Valid = &valid
	}
	if rendered {
		r.Rendered = &text
	}
	return r, ""
}
