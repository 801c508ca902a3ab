// Package fst is the protocol of FST process packs: the record that a hook is
// called with, and the record that it answers with.
//
// Hooks of a pack compute facts, validate artifacts and render texts. They
// never decide: a result with a field that would grant something is rejected as
// a whole, wherever the field is and however it is spelled.
//
// Every failure has one fixed diagnostic ([Fault]), so that the same failure
// gives the same record each time.
package fst

// The protocols that a manifest names.
const (
	CallProtocol   = "fst.hook.call.v1"
	ResultProtocol = "fst.hook.result.v1"
)

// Type is what a hook is for. It says which fields its results may have.
type Type string

// The types of hooks.
const (
	Evaluate Type = "condition.evaluate" // facts for the conditions of gates
	Validate Type = "artifact.validate"  // whether an artifact is valid
	Render   Type = "template.render"    // a text for people to review
)

// Types lists them.
func Types() []Type { return []Type{Evaluate, Validate, Render} }

// MayProduce reports whether results of this type may have a field. Artifacts
// belong to no type: any hook may propose candidates if its contract allows it.
func (t Type) MayProduce(field string) bool {
	switch field {
	case "status", "diagnostics", "artifacts":
		return true
	case "facts":
		return t == Evaluate || t == Validate
	case "valid":
		return t == Validate
	case "rendered":
		return t == Render
	}
	return false
}

// Fields are all fields that results can have: the allowed fields of a contract
// that lists none.
func Fields() []string {
	return []string{"status", "valid", "facts", "diagnostics", "artifacts", "rendered"}
}

// Authority are the fields that no result may have, whatever a manifest says.
func Authority() []string {
	return []string{"route", "approval_record", "materialization_allowed", "profile_publication"}
}
