package plan

import (
	"fmt"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
)

// The index has an entry per hook: just enough to see that an event does not
// match, and the position of its record. Most events do not match most hooks, so
// entries are read in place, only up to the first part that rules the hook out.

func (w *writer) index(h *Hook, p place) {
	w.uint(uint64(len(h.On)))
	for _, k := range h.On {
		w.string(k.String())
	}
	exact := h.Match.Tools
	if slices.ContainsFunc(exact, trammel.IsPattern) {
		exact = nil
	}
	w.strings(exact)
	w.bool(len(h.Match.Like) > 0)
	w.bool(h.Rewrites)
	w.uint(uint64(p.sum))
	w.uint(uint64(p.at))
	w.uint(uint64(p.size))
	w.strings(h.Match.Abilities)
	filter := h.Prefilter
	filter.Spec = h.Match.Spec()
	w.prefilter(&filter)
}

// place is the position of a record, and its checksum.
type place struct {
	sum      uint32
	at, size int
}

func (r *reader) place() place {
	return place{sum: uint32(r.uint()), at: int(r.uint()), size: int(r.uint())}
}

// oneOf reads a list and reports whether one of the names is in it.
func (r *reader) oneOf(names ...string) (found, empty bool) {
	n := r.count()
	for range n {
		word := r.bytes()
		for _, name := range names {
			found = found || string(word) == name
		}
	}
	return found, n == 0
}

// each calls visit for the entry of every hook.
func (p *Plan) each(visit func(e *reader) error) error {
	all, e := &reader{b: p.index}, &reader{}
	for range p.count {
		*e = reader{b: all.bytes()}
		if all.err != nil {
			return all.err
		}
		if err := visit(e); err != nil {
			return err
		}
		if e.err != nil {
			return e.err
		}
	}
	if len(all.b) > 0 {
		all.fail("something after the index")
	}
	return all.err
}

// Select returns the hooks that may match the event, in declaration order. It
// may return too many, never too few; the engine matches them exactly. If a
// hook may rewrite the call, only what no rewrite can change is checked: the
// kind of event and the name of the tool.
func (p *Plan) Select(ev *trammel.Event) ([]Hook, error) {
	q := query{ev: ev, call: match.Look(ev), kind: ev.Kind.String()}
	if ev.Tool != nil {
		q.tools = ev.Tool.Names()
	}
	places, rewrites, err := p.places(&q)
	if rewrites && err == nil {
		q.wide = true
		places, _, err = p.places(&q)
	}
	if err != nil {
		return nil, err
	}
	out := make([]Hook, 0, len(places))
	for _, at := range places {
		h, err := p.hook(at)
		if err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}

// places finds the records of the selected hooks, and reports whether one of them
// may rewrite.
func (p *Plan) places(q *query) (out []place, rewrites bool, err error) {
	err = p.each(func(e *reader) error {
		if !q.wants(e) {
			return nil
		}
		changes, at := e.bool(), e.place()
		if q.wide || q.touches(e) {
			out = append(out, at)
			rewrites = rewrites || changes
		}
		return nil
	})
	return out, rewrites, err
}

// query is an event in the form that the index needs.
type query struct {
	ev     *trammel.Event
	call   *match.Call
	kind   string
	tools  []string // the names of the tool
	wide   bool     // check only what no rewrite can change
	words  []string // buffer for a list of the index
	buffer buffer

	filter match.Prefilter
}

// wants reads the conditions that no rewrite can change. Match.Like is left to
// the engine.
func (q *query) wants(e *reader) bool {
	if found, _ := e.oneOf(q.kind); !found {
		return false
	}
	found, any := e.oneOf(q.tools...)
	like := e.bool()
	return any || found || like && q.ev.Tool != nil
}

// touches reads the rest of the entry and reports whether the hook may match. It
// looks at the same effects as the engine.
func (q *query) touches(e *reader) bool {
	if n := e.count(); n > 0 {
		q.words = e.take(q.words[:0], n)
		if !match.CallsAny(q.ev, q.words) {
			return false
		}
	}
	q.filter = e.prefilter(&q.buffer)
	return e.err == nil && !q.filter.Excludes(q.call)
}

// Has reports whether any hook is for events of this kind.
func (p *Plan) Has(kind trammel.Kind) bool {
	has := false
	err := p.each(func(e *reader) error {
		found, _ := e.oneOf(kind.String())
		has = has || found
		return nil
	})
	return has || err != nil // an unreadable plan may have one
}

// Len is the number of hooks.
func (p *Plan) Len() int { return p.count }

// All returns every hook, in declaration order.
func (p *Plan) All() ([]Hook, error) {
	out := make([]Hook, 0, p.count)
	err := p.each(func(e *reader) error {
		e.strings()
		e.strings()
		e.bool()
		e.bool()
		at := e.place()
		if e.err != nil {
			return e.err
		}
		h, err := p.hook(at)
		out = append(out, h)
		return err
	})
	return out, err
}

func (p *Plan) hook(l place) (Hook, error) {
	read := p.read.Load()
	if read == nil {
		return p.readHook(l)
	}
	if h, ok := read.Load(l.at); ok {
		return h.(Hook), nil
	}
	h, err := p.readHook(l)
	if err == nil {
		read.Store(l.at, h)
	}
	return h, err
}

func (p *Plan) readHook(l place) (Hook, error) {
	rec, err := p.src.part(p.records+int64(l.at), int64(l.size))
	if err != nil {
		return Hook{}, err
	}
	if checksum(rec) != l.sum {
		return Hook{}, fmt.Errorf("%w: a hook does not match its checksum", ErrCorrupt)
	}
	r := &reader{b: rec}
	h := r.hook()
	if r.err == nil && len(r.b) > 0 {
		r.fail("something after a hook")
	}
	return h, r.err
}
