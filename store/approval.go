package store

import (
	"encoding/json"
	"slices"
	"time"
)

// State is the state of an approval. The transitions: pending to approved,
// rejected, expired or cancelled; approved to consumed, lapsed or revoked.
type State string

const (
	Pending   State = "pending"
	Approved  State = "approved"
	Rejected  State = "rejected"
	Expired   State = "expired"   // nobody answered in time
	Cancelled State = "cancelled" // the session ended, the policy changed, or the agent asked for something else
	Consumed  State = "consumed"  // every call that asked has run
	Lapsed    State = "lapsed"    // approved, but not used in time
	Revoked   State = "revoked"   // approved, then revoked
)

// Open reports whether it is pending, or approved and not used.
func (s State) Open() bool { return s == Pending || s == Approved }

// Finding is the code of the finding about a call that did not pass in this state.
func (s State) Finding() string { return "approval_" + string(s) }

// Approval is a request to people, bound to one exact call.
type Approval struct {
	ID      string `json:"id"`    // apr_ and 128 random bits
	Nonce   string `json:"nonce"` // what a decision has to repeat
	Seq     int64  `json:"seq"`   // in the order of creation; set by the store
	State   State  `json:"state"`
	Created Time   `json:"created"`
	Expires Time   `json:"expires"` // until when people can decide; zero is for ever
	Decided Time   `json:"decided,omitzero"`
	// Window is how long an approval can be used, from the decision on; Until
	// is when that ends.
	Window time.Duration `json:"window"`
	Until  Time          `json:"until,omitzero"`
	// Why says why it was cancelled or revoked.
	Why string `json:"why,omitempty"`

	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"` // as they would run; show them only masked
	Digest  string          `json:"digest"`
	CallKey string          `json:"call_key"` // the digest without the policy
	// Edit replaces Args, if an approver has changed them.
	Edit *Edit `json:"edit,omitempty"`

	Summary string   `json:"summary"`
	Effects []string `json:"effects,omitempty"`
	Host    string   `json:"host"`
	Agent   string   `json:"agent,omitempty"`
	Parents []string `json:"parents,omitempty"` // the agents above it, nearest first
	User    string   `json:"user,omitempty"`    // who runs the agent
	Account string   `json:"account,omitempty"` // who submitted the call, if that is known for certain
	Project string   `json:"project,omitempty"`
	Dir     string   `json:"dir,omitempty"`

	Hook         string `json:"hook"`
	Source       string `json:"source,omitempty"` // where the hook is declared: file:line
	PolicyDigest string `json:"policy_digest"`
	Reason       string `json:"reason,omitempty"`

	Needs      Needs      `json:"needs"`
	Votes      []Vote     `json:"votes,omitempty"`
	Asks       []Ask      `json:"asks"`
	Deliveries []Delivery `json:"deliveries,omitempty"`
	Reminded   int        `json:"reminded,omitempty"`
	Escalated  int        `json:"escalated,omitempty"`
}

// Needs is what is needed for a decision.
type Needs struct {
	Factors []Factor `json:"factors"` // all of them
	DenyAt  int      `json:"deny_at"` // how many rejections reject
	// Requester is true if the user who runs the agent may vote.
	Requester bool `json:"requester,omitempty"`
	// Comment is true if a rejection needs a reason.
	Comment bool `json:"comment,omitempty"`
	// Escalate are additional approvers, one list per step; Every is how long a
	// step lasts.
	Escalate [][]string    `json:"escalate,omitempty"`
	Every    time.Duration `json:"every,omitempty"`
	// Reminders are when people are reminded, after it was asked, in order.
	Reminders []time.Duration `json:"reminders,omitempty"`
	Channels  []string        `json:"channels,omitempty"`
	OnTime    string          `json:"on_timeout,omitempty"` // deny or keep
}

// Factor is a number of different people out of a group.
type Factor struct {
	Approvers []string `json:"approvers"` // principals and group:names, as declared
	N         int      `json:"n"`
}

// Vote is the vote of one person.
type Vote struct {
	Approver string `json:"approver"` // the principal
	Identity string `json:"identity"` // how they were known: slack:T1/U1, os:1000, …
	Channel  string `json:"channel"`
	Approve  bool   `json:"approve"`
	Comment  string `json:"comment,omitempty"`
	At       Time   `json:"at"`
	// Edit is the digest of the edited call that the vote is for; "" for the
	// call as it was asked. Asks is how many calls waited when it was given.
	Edit  string `json:"edit,omitempty"`
	Asks  int    `json:"asks"`
	Key   string `json:"key"`   // which key signed it
	Proof []byte `json:"proof"` // the signature
}

// Edit is a call that an approver changed.
type Edit struct {
	Args   json.RawMessage `json:"args"`
	Digest string          `json:"digest"`
	By     string          `json:"by"`
	// Answers are what the guards say about it.
	Answers []string `json:"answers,omitempty"`
}

// EditDigest is the digest of the edit, "" if there is none.
func (a *Approval) EditDigest() string {
	if a.Edit == nil {
		return ""
	}
	return a.Edit.Digest
}

// Ask is one call that is waiting for the approval. Identical calls share one
// approval, and each may run once.
type Ask struct {
	Session string `json:"session"`
	Agent   string `json:"agent,omitempty"`
	Host    string `json:"host"`
	User    string `json:"user,omitempty"` // who runs the agent
	Account string `json:"account,omitempty"`
	Call    string `json:"call,omitempty"` // the host's id of the call
	At      Time   `json:"at"`
	Parked  Time   `json:"parked,omitzero"` // when the agent was told to come again
	Told    Time   `json:"told,omitzero"`   // when the agent was told that it has ended, or went away
	Used    Time   `json:"used,omitzero"`
}

// Delivery is a message to people about an approval.
type Delivery struct {
	Channel  string `json:"channel"`
	Target   string `json:"target,omitempty"`
	Ref      string `json:"ref,omitempty"` // the message, in the channel's words
	State    string `json:"state"`         // waiting, sent, failed, final
	Shows    string `json:"shows,omitempty"`
	Attempts int    `json:"attempts,omitempty"`
	Error    string `json:"error,omitempty"`
	Next     Time   `json:"next,omitzero"` // when to try again
}

// Waits reports whether the call may still run.
func (k *Ask) Waits() bool { return k.Used.IsZero() && k.Told.IsZero() }

// First is the first call that waited, empty in one that somebody has damaged.
func (a *Approval) First() Ask {
	if len(a.Asks) == 0 {
		return Ask{}
	}
	return a.Asks[0]
}

// Unused returns the index of the first ask of this session and agent that may
// still run, or -1.
func (a *Approval) Unused(session, agent string) int {
	return slices.IndexFunc(a.Asks, func(k Ask) bool { return k.Session == session && k.Agent == agent && k.Waits() })
}

// Answered returns the index of the ask of one call, by the host's id of it, that
// has been answered since a time, or -1.
func (a *Approval) Answered(session, agent, call string, since time.Time) int {
	return slices.IndexFunc(a.Asks, func(k Ask) bool {
		return call != "" && k.Session == session && k.Agent == agent && k.Call == call && (k.Used.After(since) || k.Told.After(since))
	})
}
