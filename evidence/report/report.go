// Package report sums up evidence by hook: what hooks on trial would have done,
// and which hooks do anything at all.
package report

import (
	"slices"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/index"
	"github.com/trammel-dev/trammel/store"
)

// Hook is one that is active now.
type Hook struct {
	ID    string
	Trial bool
}

// each calls fn for every run of a hook in the records that match the filter.
func each(log string, f evidence.Filter, fn func(*store.Event, *store.Run)) error {
	return evidence.Scan(log, func(entry evidence.Entry) error {
		row, err := entry.Row()
		if err != nil || !f.Matches(&row) || f.Body != nil && !f.Body(entry.Seq, entry.Body) {
			return err
		}
		event, err := index.Event(entry.Seq, entry.Body)
		if err != nil {
			return err
		}
		for i := range event.Runs {
			fn(&event, &event.Runs[i])
		}
		return nil
	})
}

// byHook finds or makes the row of a hook.
type byHook[T any] struct {
	rows map[string]*T
	ids  []string
}

func (b *byHook[T]) of(id string) *T {
	if b.rows == nil {
		b.rows = map[string]*T{}
	}
	row := b.rows[id]
	if row == nil {
		row = new(T)
		b.rows[id] = row
		b.ids = append(b.ids, id)
	}
	return row
}

// sorted calls fn for each row, by the ids of the hooks.
func (b *byHook[T]) sorted(fn func(id string, row *T)) {
	slices.Sort(b.ids)
	for _, id := range b.ids {
		fn(id, b.rows[id])
	}
}
