package plan

import (
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/match"
)

// writer appends the parts of a plan. Everything is of variable length:
// numbers as varints, strings with their length before them.
type writer struct{ b []byte }

func (w *writer) uint(n uint64)   { w.b = binary.AppendUvarint(w.b, n) }
func (w *writer) int(n int64)     { w.b = binary.AppendVarint(w.b, n) }
func (w *writer) string(s string) { w.uint(uint64(len(s))); w.b = append(w.b, s...) }
func (w *writer) bool(v bool) {
	if v {
		w.uint(1)
	} else {
		w.uint(0)
	}
}

func (w *writer) strings(list []string) {
	w.uint(uint64(len(list)))
	for _, s := range list {
		w.string(s)
	}
}

// reader takes the parts back. After the first fault it only returns zero
// values; err says what was wrong. It never reads outside of its bytes.
type reader struct {
	b   []byte
	err error
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s with %d bytes left", ErrCorrupt, what, len(r.b))
	}
	r.b = nil
}

func (r *reader) uint() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 {
		r.fail("bad number")
		return 0
	}
	r.b = r.b[size:]
	return n
}

func (r *reader) int() int64 {
	n, size := binary.Varint(r.b)
	if size <= 0 {
		r.fail("bad number")
		return 0
	}
	r.b = r.b[size:]
	return n
}

func (r *reader) bool() bool {
	n := r.uint()
	if n > 1 {
		r.fail("bad truth value")
	}
	return n == 1
}

func (r *reader) bytes() []byte {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.fail("text longer than the file")
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) string() string { return string(r.bytes()) }

// count reads the length of a list. Each element takes at least one byte, so
// a length beyond the rest is a lie that must not become an allocation.
func (r *reader) count() int {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.fail("list longer than the file")
		return 0
	}
	return int(n)
}

func (r *reader) strings() []string {
	n := r.count()
	if n == 0 {
		return nil
	}
	out := make([]string, 0, n)
	for range n {
		out = append(out, r.string())
	}
	return out
}

func (w *writer) hook(h *Hook) {
	w.string(h.ID)
	w.uint(uint64(len(h.On)))
	for _, k := range h.On {
		w.string(k.String())
	}
	w.match(&h.Match)
	w.string(h.Kind)
	w.string(string(h.Config))
	w.string(h.Dialect)
	w.string(h.May.String())
	w.int(int64(h.Priority))
	w.int(int64(h.Timeout))
	w.string(h.OnError.String())
	w.string(h.Dir)
	w.string(h.Source.Layer)
	w.string(h.Source.File)
	w.uint(uint64(h.Source.Line))
	w.bool(h.Rewrites)
	w.prefilter(&h.Prefilter)
}

func (r *reader) hook() Hook {
	var h Hook
	h.ID = r.string()
	for range r.count() {
		name := r.string()
		k, ok := kindNamed(name)
		if !ok && r.err == nil {
			r.fail("unknown event " + name)
		}
		h.On = append(h.On, k)
	}
	h.Match = r.match()
	h.Kind = r.string()
	h.Config = r.bytes()
	h.Dialect = r.string()
	h.May = named(r, trammel.ParseAuthority)
	h.Priority = int(r.int())
	h.Timeout = time.Duration(r.int())
	if word := r.string(); word != trammel.DefaultOnError.String() && r.err == nil {
		var err error
		if h.OnError, err = trammel.ParseOnError(word); err != nil {
			r.fail(err.Error())
		}
	}
	h.Dir = r.string()
	h.Source = trammel.Source{Layer: r.string(), File: r.string(), Line: int(r.uint())}
	h.Rewrites = r.bool()
	h.Prefilter = r.prefilter()
	return h
}

func (w *writer) match(m *Match) {
	w.strings(m.Tools)
	w.uint(uint64(len(m.Actions)))
	for _, a := range m.Actions {
		w.string(a.String())
	}
	w.strings(m.Hosts)
	w.strings(m.Agents)
	w.strings(m.Programs)
	w.strings(m.Paths)
}

func (r *reader) match() Match {
	var m Match
	m.Tools = r.strings()
	for range r.count() {
		m.Actions = append(m.Actions, named(r, trammel.ParseActionKind))
	}
	m.Hosts = r.strings()
	m.Agents = r.strings()
	m.Programs = r.strings()
	m.Paths = r.strings()
	return m
}

func (w *writer) prefilter(p *match.Prefilter) {
	w.bool(p.Each)
	w.strings(p.Programs)
	w.uint(uint64(len(p.Needs)))
	for i := range p.Needs {
		w.string(p.Needs[i].Field)
		w.string(string(p.Needs[i].Op))
		w.strings(p.Needs[i].Values)
	}
}

func (r *reader) prefilter() match.Prefilter {
	p := match.Prefilter{Each: r.bool(), Programs: r.strings()}
	for range r.count() {
		n := match.Need{Field: r.string(), Op: match.Op(r.string()), Values: r.strings()}
		if err := n.Check(); err != nil && r.err == nil {
			r.fail(err.Error())
		}
		p.Needs = append(p.Needs, n)
	}
	return p
}

// named reads a word of one of our vocabularies. Words and not numbers are
// stored, so that a plan cannot be misread after a vocabulary has grown.
func named[T any](r *reader, parse func(string) (T, error)) T {
	v, err := parse(r.string())
	if err != nil && r.err == nil {
		r.fail(err.Error())
	}
	return v
}

func kindNamed(name string) (trammel.Kind, bool) {
	k, ok := kinds()[name]
	return k, ok
}

var kinds = sync.OnceValue(func() map[string]trammel.Kind {
	all := append(trammel.Kinds(), trammel.Other)
	m := make(map[string]trammel.Kind, len(all))
	for _, k := range all {
		m[k.String()] = k
	}
	return m
})
