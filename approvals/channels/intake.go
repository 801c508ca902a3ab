package channels

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

// Intake takes the answers from channels. The votes are signed with the
// server's key, which confirms who gave them.
type Intake struct {
	Service  *approvals.Service
	Signer   approvals.Signer
	Channels map[string]Channel
	// Edit turns changed arguments into an edit, after the guards have judged
	// them; nil refuses changes.
	Edit func(ctx context.Context, a *store.Approval, args []byte) (*store.Edit, error)
	// CallPattern says which calls are similar to one; nil refuses grants.
	CallPattern func(a *store.Approval) (approvals.CallPattern, error)
	// Report is called with errors; it may be nil.
	Report func(error)
}

// Limits of a callback. Platforms wait for three seconds.
const (
	maxBody   = 256 << 10
	replyTime = 2500 * time.Millisecond
	afterTime = 20 * time.Second
)

// Handler answers callbacks. The channel's name is the path value "name".
func Handler(in *Intake) http.Handler { return http.HandlerFunc(in.serve) }

func (in *Intake) serve(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	c, ok := in.Channels[name].(Answerer)
	switch {
	case !ok:
		http.Error(w, "there is no such channel", http.StatusNotFound)
		return
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "send callbacks with POST", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the body is too large or incomplete", http.StatusRequestEntityTooLarge)
		return
	}
	ctx, stop := context.WithTimeout(r.Context(), replyTime)
	defer stop()
	reply := in.callback(ctx, name, c, &Callback{r.Header, body})
	if len(reply.Body) > 0 {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	w.WriteHeader(max(reply.Status, http.StatusOK))
	w.Write(reply.Body)
	in.after(context.WithoutCancel(r.Context()), name, reply.After)
}

func (in *Intake) callback(ctx context.Context, name string, c Answerer, cb *Callback) Reply {
	d, reply, err := c.VerifyAndParse(ctx, cb)
	var refused *Refused
	switch {
	case errors.As(err, &refused):
		in.report(name, err)
		return JSON(refused.Status, map[string]string{"error": refused.Detail})
	case err != nil:
		in.report(name, err)
		return unavailable
	case d == nil:
		return *reply
	}
	return in.Take(ctx, name, d)
}

// unavailable does not say why: anybody could have asked.
var unavailable = Reply{Status: http.StatusServiceUnavailable, Body: []byte(`{"error":"not available, try again"}`)}

// Take handles a verified decision once: a repeated one gets the first reply
// again.
func (in *Intake) Take(ctx context.Context, name string, d *Decision) Reply {
	stored, err := in.seen(ctx, name, d)
	if err != nil {
		in.report(name, err)
		return unavailable
	}
	if stored != nil {
		return *stored
	}
	o, err := in.decide(ctx, name, d)
	if err != nil {
		in.report(name, err)
		in.forget(ctx, name, d)
		return unavailable
	}
	reply := in.Channels[name].(Answerer).RenderReply(o)
	in.remember(ctx, name, d, reply)
	return reply
}

// decide records the vote. An error is not the fault of the person who decided.
func (in *Intake) decide(ctx context.Context, name string, d *Decision) (*Outcome, error) {
	o := &Outcome{Decision: d}
	now, err := in.vote(ctx, name, o)
	if errors.As(err, &o.Refusal) {
		if o.Refusal.Code == approvals.RefusedUnknown {
			return o, nil
		}
		now, err = in.Service.Store.Approval(ctx, d.Approval)
		if err == nil && o.Refusal.Code == approvals.RefusedExpired && now.State == store.Pending {
			now.State = store.Expired // by the clock; not written to the store yet
		}
	}
	o.Now = now
	return o, err
}

func (in *Intake) vote(ctx context.Context, name string, o *Outcome) (*store.Approval, error) {
	d := o.Decision
	a, err := in.Service.Store.Approval(ctx, d.Approval)
	unknown := &approvals.Refusal{Code: approvals.RefusedUnknown, Detail: "there is no such request in this channel"}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, unknown
	case err != nil:
		return nil, err
	case !sentHere(a, name, d):
		return nil, unknown
	}
	vote := approvals.Decision{Approval: a.ID, Nonce: d.Nonce, Digest: d.Digest, Approve: d.Approve, Comment: d.Comment, Identity: d.Identity,
		Channel: name, Signer: in.Signer}
	if d.Edit != nil {
		switch {
		case in.Edit == nil:
			return nil, &approvals.Refusal{Code: approvals.RefusedGuard, Detail: "arguments cannot be changed through this channel"}
		case bytes.Contains(d.Edit, []byte("[REDACTED:")): // our masked text, not the real arguments
			return nil, &approvals.Refusal{Code: approvals.RefusedGuard, Detail: "the changed arguments contain a mask instead of a secret"}
		}
		if vote.Edit, err = in.Edit(ctx, a, d.Edit); err != nil {
			return nil, err
		}
	}
	if d.Remember == nil {
		return in.Service.Decide(ctx, vote)
	}
	by := approvals.Granter{Identity: d.Identity, Signer: in.Signer, Reason: d.Comment, For: d.Remember.For}
	match, err := in.alike(a, d, by)
	if err != nil {
		return nil, err
	}
	now, err := in.Service.Decide(ctx, vote)
	if err == nil {
		o.Granted, err = in.Service.Grant(ctx, a, d.Remember.Scope, match, by)
	}
	return now, err
}

// alike is what a grant would let through. It is checked before the vote:
// a person who may not grant must not vote either.
func (in *Intake) alike(a *store.Approval, d *Decision, by approvals.Granter) (approvals.CallPattern, error) {
	_, err := in.Service.MayGrant(a, d.Remember.Scope, by)
	switch {
	case in.CallPattern == nil || !d.Approve || d.Edit != nil:
		return approvals.CallPattern{}, &approvals.Refusal{Code: approvals.RefusedGuard, Detail: "nothing can be granted with this decision"}
	case approvals.Shown(a) != d.Digest: // Decide checks this again, with what it reads itself
		return approvals.CallPattern{}, &approvals.Refusal{Code: approvals.RefusedChanged, Detail: "the digest is not that of the call"}
	case err != nil:
		return approvals.CallPattern{}, err
	}
	return in.CallPattern(a)
}

// sentHere reports whether the approval was sent through this channel, in the
// message that was answered.
func sentHere(a *store.Approval, name string, d *Decision) bool {
	return slices.ContainsFunc(a.Deliveries, func(k store.Delivery) bool {
		return k.Channel == name && (d.Target == "" || d.Target == k.Target) && (d.Ref == "" || d.Ref == k.Ref)
	})
}

func (in *Intake) after(ctx context.Context, name string, do func(ctx context.Context) error) {
	if do == nil {
		return
	}
	go func() {
		ctx, stop := context.WithTimeout(ctx, afterTime)
		defer stop()
		if err := do(ctx); err != nil {
			in.report(name, err)
		}
	}()
}

func (in *Intake) report(name string, err error) {
	if in.Report != nil {
		in.Report(fmt.Errorf("channel %s: %w", name, err))
	}
}

// Listen lets a channel fetch answers itself, until ctx ends.
func (in *Intake) Listen(ctx context.Context, name string, c Listener) error {
	take := func(ctx context.Context, d *Decision) Reply {
		reply := in.Take(ctx, name, d)
		in.after(context.WithoutCancel(ctx), name, reply.After)
		reply.After = nil
		return reply
	}
	return c.Listen(ctx, take, func(err error) { in.report(name, err) })
}
