package store

import "encoding/json"

// Grant lets calls through that a person has approved in advance.
type Grant struct {
	ID      string `json:"id"`    // grn_ and 128 random bits
	Scope   string `json:"scope"` // once, session, rule
	By      string `json:"by"`
	Reason  string `json:"reason,omitempty"`
	Created Time   `json:"created"`
	Expires Time   `json:"expires"`
	// From is the approval that it came from, or "" for a denied call that a
	// person allowed once.
	From string `json:"from,omitempty"`

	// A call must match all fields that are set.
	Hooks   []string        `json:"hooks"`            // whose question it answers, or whose denial it lifts
	Policy  string          `json:"policy,omitempty"` // the digest of the configuration
	Digest  string          `json:"digest,omitempty"` // the exact call
	Session string          `json:"session,omitempty"`
	Project string          `json:"project,omitempty"`
	Host    string          `json:"host,omitempty"`
	Tool    string          `json:"tool,omitempty"`
	Match   json.RawMessage `json:"match,omitempty"` // a narrow matcher, as in trammel.yaml

	Uses    int    `json:"uses"`
	Most    int    `json:"most,omitempty"` // 0 is no bound
	Last    Time   `json:"last,omitzero"`
	Revoked Time   `json:"revoked,omitzero"`
	Revoker string `json:"revoker,omitempty"`
	Key     string `json:"key"`
	Proof   []byte `json:"proof"`
}
