package channels

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/store"
)

// callbacks stores the callbacks that were seen, with our replies. It outlasts
// the tolerance for signatures, so that nothing can be replayed.
var callbacks = trammel.Bucket{Name: "channel-callbacks", Keep: 24 * time.Hour, Most: 100_000}

// takes is how long handling a callback may take. After that the process that
// handled it is assumed to be dead.
const takes = 15 * time.Second

type seen struct {
	At     store.Time      `json:"at"`
	What   string          `json:"what"` // the decision's print
	Done   bool            `json:"done"`
	Status int             `json:"status,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// inHand is the reply to a callback that is being handled right now.
var inHand = Reply{Status: http.StatusConflict, Body: []byte(`{"error":"this is being handled, try again"}`)}

// another is the reply to a callback whose id was used for something else.
var another = Reply{Status: http.StatusConflict, Body: []byte(`{"error":"this id was used for another decision"}`)}

// seen returns the earlier reply to a callback, or nil: then the caller must
// handle it.
func (in *Intake) seen(ctx context.Context, name string, d *Decision) (reply *Reply, err error) {
	if d.Event == "" {
		return nil, nil
	}
	err = in.Service.Store.Update(ctx, &callbacks, []trammel.Key{{name, d.Event}}, func(values [][]byte) error {
		var was seen
		reply = nil
		now := in.Service.Now()
		if values[0] != nil && json.Unmarshal(values[0], &was) == nil {
			switch {
			case was.What != fingerprint(d):
				reply = &another
				return nil
			case was.Done:
				reply = &Reply{Status: was.Status, Body: was.Body}
				return nil
			case now.Sub(was.At.Time).Abs() < takes: // further off, the clock was changed
				reply = &inHand
				return nil
			}
		}
		values[0], err = json.Marshal(seen{At: store.At(now), What: fingerprint(d)})
		return err
	})
	return reply, err
}

// fingerprint identifies a decision.
func fingerprint(d *Decision) string {
	// texts only
	text, _ := json.Marshal([]any{d.Approval, d.Nonce, d.Digest, d.Approve, d.Comment, d.Identity, d.Target, d.Ref, d.Edit, d.Remember})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// remember stores the reply. If that fails, the vote still counts, and a second
// one of the same person does not.
func (in *Intake) remember(ctx context.Context, name string, d *Decision, r Reply) {
	in.keep(ctx, name, d.Event, func() ([]byte, error) {
		return json.Marshal(seen{At: store.At(in.Service.Now()), What: fingerprint(d), Done: true, Status: r.Status, Body: r.Body})
	})
}

// forget allows another try of a callback that could not be handled.
func (in *Intake) forget(ctx context.Context, name string, d *Decision) {
	in.keep(ctx, name, d.Event, func() ([]byte, error) { return nil, nil })
}

func (in *Intake) keep(ctx context.Context, name, event string, value func() ([]byte, error)) {
	if event == "" {
		return
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer stop()
	err := in.Service.Store.Update(ctx, &callbacks, []trammel.Key{{name, event}}, func(values [][]byte) (err error) {
		values[0], err = value()
		return err
	})
	if err != nil {
		in.report(name, err)
	}
}
