package store

import "encoding/json"

// Note is a change that is on its way to the evidence. It is stored together
// with the change, so that no crash can lose one of the two.
type Note struct {
	ID   string `json:"id"`
	At   Time   `json:"at"`
	Kind string `json:"kind"` // approval.requested, approval.approved, grant.used, …
	// Project is the project whose evidence it belongs to.
	Project string          `json:"project,omitempty"`
	Subject string          `json:"subject"` // the approval or grant
	Data    json.RawMessage `json:"data,omitempty"`
	// Held is until when a process holds it, to record it.
	Held Time `json:"held,omitzero"`
	// Again is true if it may be recorded already.
	Again bool `json:"-"`
}
