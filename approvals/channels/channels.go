// Package channels reaches people who are not at the machine: one interface for
// all platforms, their common options, and the handling of answers. Package
// approvals decides what an answer means; a channel only says who answered
// what, and only if that is proved.
package channels

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

// Channel tells people about requests. It is safe for concurrent use.
type Channel interface {
	// Deliver tells people about a request. It may be called again for a
	// request whose message may have been sent already; if the platform can
	// detect that, no second message appears.
	Deliver(ctx context.Context, a *store.Approval) (Message, error)
	// Update changes a sent message to show the current state of the approval.
	Update(ctx context.Context, d *store.Delivery, a *store.Approval) error
}

// Message is the location of a message, in the platform's terms.
type Message struct{ Target, Ref string }

// Answerer is a channel that brings answers back.
type Answerer interface {
	Channel
	// VerifyAndParse reads a callback: a decision, or else the reply to another
	// kind of callback. If its origin is not proved, it returns a *Refused, and
	// nothing in it counts.
	VerifyAndParse(ctx context.Context, c *Callback) (*Decision, *Reply, error)
	// RenderReply tells the person who decided what happened.
	RenderReply(o *Outcome) Reply
}

// Listener is an Answerer that fetches answers itself, so that no platform has to
// reach us. Listen returns when ctx ends; it connects again after a failure,
// which it reports.
type Listener interface {
	Answerer
	Listen(ctx context.Context, take func(ctx context.Context, d *Decision) Reply, report func(error)) error
}

// Callback is an unverified message to us.
type Callback struct {
	Header http.Header
	Body   []byte // as received: signatures cover it
}

// Decision is a person's decision, verified by the channel.
type Decision struct {
	Approval, Nonce, Digest string // as the message said
	Approve                 bool
	Comment                 string
	Identity                string          // feishu:ou_x, slack:T1/U1, webhook:alice
	Target, Ref             string          // the message that was answered; "" if the platform does not say
	Event                   string          // the platform's id of this callback, the same if it comes twice
	Edit                    json.RawMessage // the arguments to run instead
	Remember                *Remember       // grant similar calls for a while
	// Back is data that the channel needs for its reply.
	Back any
}

// Remember asks for a grant: in which scope, and for how long.
type Remember struct {
	Scope string // approvals.ScopeSession or approvals.ScopeRule
	For   time.Duration
}

// Outcome is the result of a decision.
type Outcome struct {
	*Decision
	Now *store.Approval // its current state; nil if there is none
	// Refusal is why the decision does not count; nil if it does.
	Refusal *approvals.Refusal
	Granted *store.Grant // nil if nothing was granted
}

// Reply is the answer to the platform.
type Reply struct {
	Status int // 0 is 200
	Body   []byte
	// After, if set, is called once the reply is sent.
	After func(ctx context.Context) error
}

// JSON is a reply with a JSON body.
func JSON(status int, body any) Reply {
	text, _ := json.Marshal(body) // replies are made of texts and numbers
	return Reply{Status: status, Body: text}
}

// Refused is a callback that is not verified or cannot be read.
type Refused struct {
	Status int
	Detail string
}

func (r *Refused) Error() string { return r.Detail }

// Unproved is a callback that does not prove its origin.
func Unproved(detail string) error { return &Refused{http.StatusUnauthorized, detail} }

// Foreign is a callback that proves its origin, but has the wrong one.
func Foreign(detail string) error { return &Refused{http.StatusForbidden, detail} }

// Malformed is a callback that cannot be understood.
func Malformed(detail string) error { return &Refused{http.StatusUnprocessableEntity, detail} }

// Tolerance is how far the time of a callback may differ from ours.
const Tolerance = 5 * time.Minute

// Fresh reports whether a moment, in seconds, is about now.
func Fresh(now time.Time, seconds int64) bool {
	d := now.Sub(time.Unix(seconds, 0))
	return d <= Tolerance && d >= -Tolerance
}
