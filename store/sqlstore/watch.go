package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel/store"
)

// watchers wait until an approval is decided. After a change, one query finds
// out for all of them which are decided.
type watchers struct {
	mu   sync.Mutex
	all  map[chan struct{}]string // the id that each waits for
	stop context.CancelFunc       // ends the watching; nil if nobody watches
}

// Decided implements store.Store.
func (s *Store) Decided(ctx context.Context, id string) (<-chan struct{}, error) {
	w := &s.watchers
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stop == nil {
		life, stop := context.WithCancel(context.Background())
		changes, err := s.Changes(life)
		if err != nil {
			stop()
			return nil, err
		}
		w.all, w.stop = map[chan struct{}]string{}, stop
		go s.watch(life, changes)
	}
	ch := make(chan struct{}, 1)
	w.all[ch] = id
	context.AfterFunc(ctx, func() { w.drop(ch) })
	return ch, nil
}

// drop ends the watching with the last watcher.
func (w *watchers) drop(ch chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if delete(w.all, ch); len(w.all) == 0 {
		w.end()
	}
}

func (w *watchers) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
}

func (w *watchers) end() {
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
}

func (s *Store) watch(ctx context.Context, changes <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-changes:
		}
		s.watchers.mu.Lock()
		ids := slices.Compact(slices.Sorted(maps.Values(s.watchers.all)))
		s.watchers.mu.Unlock()
		pending, err := s.pendingAmong(ctx, ids)
		s.watchers.mu.Lock()
		for ch, id := range s.watchers.all {
			_, looked := slices.BinarySearch(ids, id)
			if err != nil || looked && !pending[id] { // if the query failed, each checks for itself
				wakeOne(ch)
			}
		}
		s.watchers.mu.Unlock()
	}
}

// lookAtOnce is how many approvals one statement looks at.
const lookAtOnce = 500

func (s *Store) pendingAmong(ctx context.Context, ids []string) (map[string]bool, error) {
	out := make(map[string]bool, len(ids))
	for some := range slices.Chunk(ids, lookAtOnce) {
		args, list := []any{string(store.Pending)}, make([]string, len(some))
		for i, id := range some {
			args, list[i] = append(args, id), fmt.Sprintf("$%d", i+2)
		}
		err := s.eachRow(ctx, s.DB, `SELECT id FROM approvals WHERE state = $1 AND id IN (`+strings.Join(list, ", ")+`)`, args,
			func(rows *sql.Rows) error {
				var id string
				err := rows.Scan(&id)
				out[id] = true
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
