// Package channels is how people are reached who are not at the machine: one
// interface for all platforms, the options that they share, and the way in for
// what people answer. What happens with an answer is approvals' business; a
// channel only says who said what, and only if it can prove it.
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
	// Deliver tells people about a request. It may be called again for a request
	// whose message may be out already; where a platform can tell that it is the
	// same one, no second message appears.
	Deliver(ctx context.Context, a *store.Approval) (Message, error)
	// Update brings a message that is out to how the approval stands now.
	Update(ctx context.Context, d *store.Delivery, a *store.Approval) error
}

// Message is where a message is, in the words of its platform.
type Message struct{ Target, Ref string }

// Answerer is a channel that brings answers back.
type Answerer interface {
	Channel
	// VerifyAndParse reads a callback: a decision, or else the reply to something
	// that is none. What does not prove where it comes from is a *Refused, and
	// nothing in it is believed.
	VerifyAndParse(ctx context.Context, c *Callback) (*Decision, *Reply, error)
	// RenderReply says to the one who decided what came of it.
	RenderReply(o *Outcome) Reply
}

// Listener is an Answerer that fetches answers itself, so that no platform has to
// reach us. Listen returns when ctx ends; it connects again after a failure,
// which it reports.
type Listener interface {
	Answerer
	Listen(ctx context.Context, take func(ctx context.Context, d *Decision) Reply, report func(error)) error
}

// Callback is what somebody sent us, not believed yet.
type Callback struct {
	Header http.Header
	Body   []byte // as received: signatures cover it
}

// Decision is what a person said, as the channel has verified it.
type Decision struct {
	Approval, Nonce, Digest string // as the message said
	Approve                 bool
	Comment                 string
	Identity                string          // feishu:ou_x, slack:T1/U1, webhook:alice
	Target, Ref             string          // the message that was answered; "" if the platform does not say
	Event                   string          // the platform's id of this callback, the same if it comes twice
	Edit                    json.RawMessage // what is to run instead
	Remember                *Remember       // that calls like this one may pass for a while
	// Back is what the channel wants to know again for its reply.
	Back any
}

// Remember asks for a grant: in which scope, and for how long.
type Remember struct {
	Scope string // approvals.ScopeSession or approvals.ScopeRule
	For   time.Duration
}

// Outcome is what came of a decision.
type Outcome struct {
	*Decision
	Now *store.Approval // as it stands; nil if there is none
	// Refusal is why the decision does not count; nil if it does.
	Refusal *approvals.Refusal
	Granted *store.Grant // nil if nothing was granted
}

// Reply is what the platform is answered.
type Reply struct {
	Status int // 0 is 200
	Body   []byte
	// After, if set, is done once the reply is out.
	After func(ctx context.Context) error
}

// JSON is a reply with a JSON body.
func JSON(status int, body any) Reply {
	text, _ := json.Marshal(body) // replies are made of texts and numbers
	return Reply{Status: status, Body: text}
}

// Refused is a callback that is not believed or cannot be read.
type Refused struct {
	Status int
	Detail string
}

func (r *Refused) Error() string { return r.Detail }

// Unproved is a callback that does not prove where it comes from.
func Unproved(detail string) error { return &Refused{http.StatusUnauthorized, detail} }

// Foreign is a callback that proves where it comes from, and comes from
// somewhere else than it should.
func Foreign(detail string) error { return &Refused{http.StatusForbidden, detail} }

// Malformed is a callback that makes no sense.
func Malformed(detail string) error { return &Refused{http.StatusUnprocessableEntity, detail} }

// Tolerance is how far the clock of a callback may be off ours.
const Tolerance = 5 * time.Minute

// Fresh reports whether a moment, in seconds, is about now.
func Fresh(now time.Time, seconds int64) bool {
	d := now.Sub(time.Unix(seconds, 0))
	return d <= Tolerance && d >= -Tolerance
}
