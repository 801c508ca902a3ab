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

// callbacks remembers which callbacks were seen, and what they were answered.
// It lasts longer than a signature is fresh, so that nothing can be replayed.
var callbacks = trammel.Bucket{Name: "channel-callbacks", Keep: 24 * time.Hour, Most: 100_000}

// takes is how long a callback may take to be handled. After that whoever did
// it is taken to be dead.
const takes = 15 * time.Second

type seen struct {
	At     store.Time      `json:"at"`
	What   string          `json:"what"` // the decision's print
	Done   bool            `json:"done"`
	Status int             `json:"status,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// inHand answers a callback that is being handled at this moment.
var inHand = Reply{Status: http.StatusConflict, Body: []byte(`{"error":"this is being handled, try again"}`)}

// another answers a callback whose id was used for something else.
var another = Reply{Status: http.StatusConflict, Body: []byte(`{"error":"this id was used for another decision"}`)}

// seen returns what a callback was answered before, or nil and the duty to
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
			case now.Sub(was.At.Time) < takes:
				reply = &inHand
				return nil
			}
		}
		values[0], err = json.Marshal(seen{At: store.At(now), What: fingerprint(d)})
		return err
	})
	return reply, err
}

// fingerprint tells one decision from another.
func fingerprint(d *Decision) string {
	// texts only
	text, _ := json.Marshal([]any{d.Approval, d.Nonce, d.Digest, d.Approve, d.Comment, d.Identity, d.Target, d.Ref, d.Edit, d.Remember})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// remember keeps the answer. If that fails, the vote is there all the same, and
// a second one of the same person does not count.
func (in *Intake) remember(ctx context.Context, name string, d *Decision, r Reply) {
	in.keep(ctx, name, d.Event, func() ([]byte, error) {
		return json.Marshal(seen{At: store.At(in.Service.Now()), What: fingerprint(d), Done: true, Status: r.Status, Body: r.Body})
	})
}

// forget lets a callback be tried again that could not be handled.
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
