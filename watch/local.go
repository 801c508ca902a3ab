package watch

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/index"
	"github.com/trammel-dev/trammel/store"
)

// Local watches this machine without a server: the store, and the logs.
type Local struct {
	*approvals.Service
	Logs string // the directory in which each log has its own
	// Identity is who the authority secret of this machine stands for, "" if
	// none is set.
	Identity string
}

// recent is how many of a log's last records are shown to begin with.
const recent = 500

// Approvals implements Source.
func (l *Local) Approvals(ctx context.Context) ([]*store.Approval, error) {
	if err := l.Sweep(ctx); err != nil {
		return nil, err
	}
	open, err := l.Store.Approvals(ctx, store.Query{States: []store.State{store.Pending}, Most: 1000})
	if err != nil {
		return nil, err
	}
	last, err := l.Store.Approvals(ctx, store.Query{Most: 200})
	return append(last, open...), err
}

// Changes implements Source.
func (l *Local) Changes(ctx context.Context) (<-chan struct{}, error) { return l.Store.Changes(ctx) }

// May implements Source.
func (l *Local) May(a *store.Approval) error {
	if l.Identity == "" {
		return errors.New("no authority secret is set on this machine: trammel approvals unlock")
	}
	return l.Service.May(a, l.Identity)
}

// Follow implements Source.
func (l *Local) Follow(ctx context.Context, send func(events ...store.Event)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	index.EachLog(ctx, l.Logs, func(log string) {
		go func() { stop(l.follow(ctx, log, send)) }()
	})
	return context.Cause(ctx)
}

func (l *Local) follow(ctx context.Context, log string, send func(events ...store.Event)) error {
	dir, from := filepath.Join(l.Logs, log), uint64(1)
	if last, err := evidence.Last(dir); err == nil && last.Seq > recent {
		from = last.Seq - recent + 1
	}
	return evidence.Tail(ctx, dir, from, func(entry evidence.Entry) error {
		e, err := index.Event(entry.Seq, entry.Body)
		if err == nil {
			e.Log = log
			send(e)
		}
		return err
	})
}

// LocalPerson is whoever knows the authority secret of this machine.
type LocalPerson struct {
	Service  *approvals.Service
	Identity string
	Key      approvals.Signer
}

// Decide implements Person.
func (p *LocalPerson) Decide(ctx context.Context, a *store.Approval, approve bool, comment string) (*store.Approval, error) {
	return p.Service.Decide(ctx, approvals.Decision{Approval: a.ID, Nonce: a.Nonce, Digest: approvals.Shown(a), Approve: approve,
		Comment: comment, Identity: p.Identity, Channel: "terminal", Signer: p.Key})
}
