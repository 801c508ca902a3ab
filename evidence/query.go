package evidence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// List calls fn for each record that matches the filter, oldest first.
func List(dir string, f Filter, fn func(Row) error) error {
	return each(dir, f, func(l *listed) error { return fn(l.row) })
}

// listed is a record that matches a filter. It is valid until the function that
// received it returns.
type listed struct {
	rawLine
	row Row
}

var vocabularies = sync.Pool{New: func() any { return new(words) }}

// each calls fn for each record that matches the filter. All processors share the
// work.
func each(dir string, f Filter, fn func(*listed) error) error {
	return mapped(dir, f, func(l *listed) listed { return *l }, func(l *listed) error { return fn(l) })
}

// Map calls work for each record that matches the filter, on all processors,
// and take with each result, oldest first. The results must not refer to the
// entry.
func Map[T any](dir string, f Filter, work func(*Entry) T, take func(T) error) error {
	type done struct {
		result T
		err    error
	}
	return mapped(dir, f, func(l *listed) (d done) {
		var e Entry
		if e, _, d.err = l.entry(); d.err == nil {
			d.result = work(&e)
		}
		return d
	}, func(d *done) error {
		if d.err != nil {
			return d.err
		}
		return take(d.result)
	})
}

// mapped is each, with work done by the readers.
func mapped[T any](dir string, f Filter, work func(*listed) T, take func(*T) error) error {
	snap, err := takeSnapshot(dir)
	if err != nil {
		return err
	}
	defer snap.close()
	type result struct {
		list []T
		bad  *Damage
	}
	var bad *Damage
	read := func(c *chunk) (out result) {
		w := vocabularies.Get().(*words)
		defer vocabularies.Put(w)
		out.list = make([]T, 0, len(c.data)/1024)
		_ = c.lines(func(l rawLine) error {
			row, err := l.row(w)
			if out.bad = out.bad.and(err); err == nil && row.Seq > 0 && f.wants(&row, &l) {
				out.list = append(out.list, work(&listed{rawLine: l, row: row}))
			}
			return nil
		})
		return out
	}
	err = parallel(snap.chunks, read, func(_ *chunk, r result) error {
		for i := range r.list {
			if err := take(&r.list[i]); err != nil {
				return err
			}
		}
		if r.bad != nil {
			bad = bad.and(r.bad)
		}
		return nil
	})
	return bad.ended(err)
}

// wants reports whether the record of a line matches.
func (f *Filter) wants(r *Row, l *rawLine) bool {
	if f.Body == nil || !f.Matches(r) {
		return f.Matches(r)
	}
	_, body, ok := parseLine(l.data)
	return ok && f.Body(r.Seq, body)
}

// row reads the line for a listing; the row of an incomplete line has no number.
func (l *rawLine) row(w *words) (Row, error) {
	if p, ok := split(l.data); ok && l.ended && isHex(p.hash) && isHex(p.prev) {
		if row, ok := w.row(p.body); ok {
			row.Seq = p.seq
			return row, nil
		}
	}
	e, ok, err := l.entry()
	if err != nil || !ok {
		return Row{}, err
	}
	row, err := e.Row()
	if err != nil {
		err = &Damage{l.file, l.number, 1}
	}
	return row, err
}

// Show finds one record by its number, or by a unique prefix of its id.
func Show(dir, which string) (Entry, error) {
	seq, _ := strconv.ParseUint(which, 10, 64)
	if seq == 0 && !strings.HasPrefix(which, "ev_") {
		return Entry{}, fmt.Errorf("%q is neither the number nor the id of a record, expected 42 or ev_…", which)
	}
	var found []Entry
	var first, last uint64
	err := each(dir, Filter{}, func(l *listed) error {
		if last = l.row.Seq; first == 0 {
			first = last
		}
		if seq != 0 && l.row.Seq != seq || seq == 0 && !strings.HasPrefix(l.row.ID, which) {
			return nil
		}
		e, _, err := l.entry()
		if found = append(found, e.clone()); seq != 0 && err == nil {
			err = ErrStop
		}
		return err
	})
	switch {
	case err != nil && (len(found) == 0 || ExceptDamage(err) != nil):
		return Entry{}, err
	case len(found) == 0:
		return Entry{}, fmt.Errorf("there is no record %s: the log has records %d to %d; trammel evidence list shows them", which, first, last)
	case len(found) > 1:
		return Entry{}, fmt.Errorf("%d records begin with %s, the first are %d and %d", len(found), which, found[0].Seq, found[1].Seq)
	}
	return found[0], nil
}

// clone makes an entry that outlives the scan.
func (e Entry) clone() Entry {
	e.Line = slices.Clone(e.Line)
	_, e.Body, _ = parseLine(e.Line)
	return e
}
