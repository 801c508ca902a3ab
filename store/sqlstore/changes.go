package sqlstore

import (
	"context"
	"database/sql"
	"sync"
)

// listeners shares one connection between all that wait for changes.
type listeners struct {
	mu     sync.Mutex
	all    map[chan struct{}]bool
	stop   context.CancelFunc // ends the connection; nil if there is none
	closed bool
	// running are the connections that have not ended yet.
	running sync.WaitGroup
}

// Changes implements store.Store.
func (s *Store) Changes(ctx context.Context) (<-chan struct{}, error) {
	l := &s.listeners
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, sql.ErrConnDone
	}
	if l.stop == nil {
		var life context.Context
		life, l.stop = context.WithCancel(context.Background())
		l.running.Go(func() { s.Driver.Listen(life, l.wake) })
	}
	if l.all == nil {
		l.all = map[chan struct{}]bool{}
	}
	ch := make(chan struct{}, 1)
	l.all[ch] = true
	context.AfterFunc(ctx, func() { l.drop(ch) })
	return ch, nil
}

func (l *listeners) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for ch := range l.all {
		wakeOne(ch)
	}
}

func wakeOne(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default: // one is waiting already
	}
}

// drop ends the connection with the last listener.
func (l *listeners) drop(ch chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if delete(l.all, ch); len(l.all) == 0 && l.stop != nil {
		l.stop()
		l.stop = nil
	}
}

func (l *listeners) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.stop != nil {
		l.stop()
		l.stop = nil
	}
}
