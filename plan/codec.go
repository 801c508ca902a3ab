package plan

import (
	"encoding/binary"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
)

// writer appends the parts of a plan: numbers as varints, strings with their
// length in front.
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

// reader reads the parts. After the first error, stored in err, it returns only
// zero values. It never reads beyond its bytes.
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
	if len(r.b) > 0 && r.b[0] < 0x80 { // nearly always
		n := r.b[0]
		r.b = r.b[1:]
		return uint64(n)
	}
	n, size := binary.Uvarint(r.b)
	r.pass(size)
	return n
}

func (r *reader) int() int64 {
	n, size := binary.Varint(r.b)
	r.pass(size)
	return n
}

// pass skips a number of the given size. A size of zero or less is an error.
func (r *reader) pass(size int) {
	if size <= 0 {
		r.fail("bad number")
		return
	}
	r.b = r.b[size:]
}

func (r *reader) bool() bool {
	n := r.uint()
	if n > 1 {
		r.fail("bad boolean")
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

// string does not copy: a plan is read once and never written to.
func (r *reader) string() string {
	b := r.bytes()
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// count reads the length of a list. Each element takes at least one byte, so
// a length beyond the rest is wrong, and must not cause an allocation.
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
	return r.take(make([]string, 0, n), n)
}

// take reads n strings into the free capacity of a list.
func (r *reader) take(list []string, n int) []string {
	for range n {
		list = append(list, r.string())
	}
	return list
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
	w.source(&h.Source)
	w.bool(h.Trial)
	w.bool(h.Yields)
	w.bool(h.Blocking)
	w.bool(h.Rewrites)
	w.uint(uint64(len(h.Except)))
	for i := range h.Except {
		x := &h.Except[i]
		w.match(&x.Match)
		w.strings(x.Commands)
		w.strings(x.Arguments)
		w.int(x.Until.Unix())
		w.string(x.Reason)
		w.source(&x.Source)
	}
}

func (w *writer) source(s *trammel.Source) {
	w.string(s.Layer)
	w.string(s.File)
	w.uint(uint64(s.Line))
	w.bool(s.Untrusted)
}

func (r *reader) source() trammel.Source {
	return trammel.Source{Layer: r.string(), File: r.string(), Line: int(r.uint()), Untrusted: r.bool()}
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
	h.Source = r.source()
	h.Trial = r.bool()
	h.Yields = r.bool()
	h.Blocking = r.bool()
	h.Rewrites = r.bool()
	for range r.count() {
		h.Except = append(h.Except, Exception{Match: r.match(), Commands: r.strings(), Arguments: r.strings(), Until: time.Unix(r.int(), 0),
			Reason: r.string(), Source: r.source()})
	}
	return h
}

func (w *writer) match(m *Match) {
	w.strings(m.Tools)
	w.actions(m.Like)
	w.strings(m.Hosts)
	w.strings(m.Agents)
	w.strings(m.Projects)
	spec := m.Spec()
	w.spec(&spec)
	w.strings(m.Abilities)
	w.int(int64(m.Slower))
	w.strings(m.Changed)
}

func (r *reader) match() Match {
	m := Match{Tools: r.strings(), Like: r.actions(&buffer{}), Hosts: r.strings(), Agents: r.strings(), Projects: r.strings()}
	s := r.spec(&buffer{})
	m.Actions, m.Programs, m.Paths, m.To, m.Doubt = s.Actions, s.Programs, s.Paths, s.To, s.Doubt
	m.Abilities = r.strings()
	m.Slower = time.Duration(r.int())
	m.Changed = r.strings()
	return m
}

func (w *writer) actions(list []trammel.ActionKind) {
	w.uint(uint64(len(list)))
	for _, a := range list {
		w.string(a.String())
	}
}

func (r *reader) actions(buffer *buffer) []trammel.ActionKind {
	n := r.count()
	if n == 0 {
		return nil
	}
	from := len(buffer.actions)
	for range n {
		buffer.actions = append(buffer.actions, named(r, trammel.ParseActionKind))
	}
	return buffer.actions[from:len(buffer.actions):len(buffer.actions)]
}

func (w *writer) spec(s *match.Spec) {
	w.actions(s.Actions)
	w.strings(s.Programs)
	w.strings(s.Paths)
	w.strings(s.To)
	w.bool(s.Doubt)
}

func (r *reader) spec(buffer *buffer) match.Spec {
	s := match.Spec{Actions: r.actions(buffer)}
	s.Programs, s.Paths, s.To = buffer.strings(r), buffer.strings(r), buffer.strings(r)
	s.Doubt = r.bool()
	return s
}

func (w *writer) prefilter(p *match.Prefilter) {
	w.spec(&p.Spec)
	w.bool(p.Each)
	w.uint(uint64(len(p.Needs)))
	for i := range p.Needs {
		w.string(p.Needs[i].Field)
		w.string(string(p.Needs[i].Op))
		w.strings(p.Needs[i].Values)
	}
}

// buffer holds temporary prefilters.
type buffer struct {
	actions []trammel.ActionKind
	words   []string
	needs   []match.Need
}

func (m *buffer) strings(r *reader) []string {
	n := r.count()
	if n == 0 {
		return nil
	}
	from := len(m.words)
	m.words = r.take(m.words, n)
	return m.words[from:len(m.words):len(m.words)]
}

func (r *reader) prefilter(buffer *buffer) match.Prefilter {
	buffer.actions, buffer.words, buffer.needs = buffer.actions[:0], buffer.words[:0], buffer.needs[:0]
	p := match.Prefilter{Spec: r.spec(buffer), Each: r.bool()}
	for range r.count() {
		n := match.Need{Field: r.string(), Op: match.Op(r.string()), Values: buffer.strings(r)}
		if r.err != nil {
			return p
		}
		if err := n.Check(); err != nil {
			r.fail(err.Error())
			return p
		}
		buffer.needs = append(buffer.needs, n)
	}
	p.Needs = buffer.needs
	return p
}

// named reads a word of one of our vocabularies. A plan stores words instead of
// numbers, so that it cannot be misread after a vocabulary has grown.
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
