package channels

import (
	"context"
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
	Done   bool            `json:"done"`
	Status int             `json:"status,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// inHand answers a callback that is being handled at this moment.
var inHand = Reply{Status: http.StatusConflict, Body: []byte(`{"error":"this is being handled, try again"}`)}

// seen returns what a callback was answered before, or nil and the duty to
// handle it.
func (in *Intake) seen(ctx context.Context, name, event string) (reply *Reply, err error) {
	if event == "" {
		return nil, nil
	}
	err = in.Service.Store.Update(ctx, &callbacks, []trammel.Key{{name, event}}, func(values [][]byte) error {
		var was seen
		reply = nil
		now := in.Service.Now()
		if values[0] != nil && json.Unmarshal(values[0], &was) == nil {
			switch {
			case was.Done:
				reply = &Reply{Status: was.Status, Body: was.Body}
				return nil
			case now.Sub(was.At.Time) < takes:
				reply = &inHand
				return nil
			}
		}
		values[0], err = json.Marshal(seen{At: store.At(now)})
		return err
	})
	return reply, err
}

// remember keeps the answer. If that fails, the vote is there all the same, and
// a second one of the same person does not count.
func (in *Intake) remember(ctx context.Context, name, event string, r Reply) {
	in.keep(ctx, name, event, func() ([]byte, error) {
		return json.Marshal(seen{At: store.At(in.Service.Now()), Done: true, Status: r.Status, Body: r.Body})
	})
}

// forget lets a callback be tried again that could not be handled.
func (in *Intake) forget(ctx context.Context, name, event string) {
	in.keep(ctx, name, event, func() ([]byte, error) { return nil, nil })
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
