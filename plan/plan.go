package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/match"
)

// Why a stored plan cannot be used. Each means: compile anew.
var (
	ErrMissing = errors.New("no plan is stored")
	ErrStale   = errors.New("the stored plan is for another configuration")
	ErrForeign = errors.New("the stored plan was written by another version or another user")
	ErrCorrupt = errors.New("the stored plan is damaged")
)

// Plan is a compiled configuration, opened from its flat form.
type Plan struct {
	Settings Settings
	// Digest is of all sources that the plan was compiled from.
	Digest string
	// Notes are what the person should know: a changed project file, a hook
	// that waits for trust.
	Notes []string

	entries []indexEntry
	records []byte
}

// indexEntry is what the index knows of a hook, in the order of declaration:
// enough to tell that an event cannot touch it without reading the hook.
type indexEntry struct {
	kinds    []string
	tools    []string // exact names; empty where there are patterns or none
	actions  []string
	programs []string
	filter   match.Prefilter
	rewrites bool
	sum      []byte // of the record
	at, size int
}

// The file: magic, size of all, digest of the head, head, records. The head is
// checked whole, each record when it is read.
const magic = "trammel-plan-3\n"

const sumSize = sha256.Size

// Encode writes the flat form.
func Encode(hooks []Hook, settings Settings, digest string, notes []string) []byte {
	var records, head writer
	head.string(digest)
	head.settings(&settings)
	head.strings(notes)
	head.uint(uint64(len(hooks)))
	for i := range hooks {
		h := &hooks[i]
		var rec writer
		rec.hook(h)
		sum := sha256.Sum256(rec.b)
		head.index(h)
		head.string(string(sum[:]))
		head.uint(uint64(len(records.b)))
		head.uint(uint64(len(rec.b)))
		records.b = append(records.b, rec.b...)
	}
	sum := sha256.Sum256(head.b)
	total := len(magic) + 8 + 8 + sumSize + len(head.b) + len(records.b)
	out := make([]byte, 0, total)
	out = append(out, magic...)
	out = binary.BigEndian.AppendUint64(out, uint64(total))
	out = binary.BigEndian.AppendUint64(out, uint64(len(head.b)))
	out = append(out, sum[:]...)
	out = append(out, head.b...)
	return append(out, records.b...)
}

// Decode opens the flat form. digest is of the sources as they are now; a plan
// for others is stale.
func Decode(data []byte, digest string) (*Plan, error) {
	rest, ok := strings.CutPrefix(string(data[:min(len(data), len(magic))]), magic)
	if !ok || rest != "" {
		return nil, ErrForeign
	}
	b := data[len(magic):]
	if len(b) < 16+sumSize {
		return nil, fmt.Errorf("%w: cut off in its first bytes", ErrCorrupt)
	}
	total, headSize := binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
	want := b[16 : 16+sumSize]
	b = b[16+sumSize:]
	if total != uint64(len(data)) || headSize > uint64(len(b)) {
		return nil, fmt.Errorf("%w: %d bytes, expected %d", ErrCorrupt, len(data), total)
	}
	head := b[:headSize]
	if sum := sha256.Sum256(head); string(sum[:]) != string(want) {
		return nil, fmt.Errorf("%w: its head does not match its digest", ErrCorrupt)
	}
	p := &Plan{records: b[headSize:]}
	r := &reader{b: head}
	p.Digest = r.string()
	if p.Digest != digest {
		return nil, ErrStale
	}
	p.Settings = r.settings()
	p.Notes = r.strings()
	p.entries = make([]indexEntry, 0, r.count())
	for range cap(p.entries) {
		p.entries = append(p.entries, r.index())
	}
	if r.err == nil && len(r.b) > 0 {
		r.fail("something behind the index")
	}
	return p, r.err
}

func (w *writer) index(h *Hook) {
	w.uint(uint64(len(h.On)))
	for _, k := range h.On {
		w.string(k.String())
	}
	exact := h.Match.Tools
	if slices.ContainsFunc(exact, func(s string) bool { return strings.ContainsAny(s, "*?") }) {
		exact = nil
	}
	w.strings(exact)
	w.uint(uint64(len(h.Match.Actions)))
	for _, a := range h.Match.Actions {
		w.string(a.String())
	}
	w.strings(h.Match.Programs)
	w.prefilter(&h.Prefilter)
	w.bool(h.Rewrites)
}

func (r *reader) index() indexEntry {
	return indexEntry{kinds: r.strings(), tools: r.strings(), actions: r.strings(), programs: r.strings(),
		filter: r.prefilter(), rewrites: r.bool(), sum: r.bytes(), at: int(r.uint()), size: int(r.uint())}
}

func (w *writer) settings(s *Settings) {
	w.int(int64(s.Deadline))
	w.int(s.MaxPayload)
	w.string(s.Evidence.Payload)
	w.string(s.Evidence.Fsync)
	w.int(s.Evidence.Segment)
	w.string(s.Evidence.OnError)
}

func (r *reader) settings() Settings {
	return Settings{Deadline: time.Duration(r.int()), MaxPayload: r.int(),
		Evidence: EvidenceSettings{Payload: r.string(), Fsync: r.string(), Segment: r.int(), OnError: r.string()}}
}

// Has reports whether any hook listens to events of this kind.
func (p *Plan) Has(kind trammel.Kind) bool {
	return slices.ContainsFunc(p.entries, func(e indexEntry) bool { return slices.Contains(e.kinds, kind.String()) })
}

// Len is the number of hooks.
func (p *Plan) Len() int { return len(p.entries) }

// Select returns the hooks that the event may touch, in declaration order. It
// may return too many, never too few; the engine matches them exactly. Where a
// hook may rewrite the call, only what no rewrite can change is looked at: the
// kind of event and the name of the tool.
func (p *Plan) Select(ev *trammel.Event) ([]Hook, error) {
	kind := ev.Kind.String()
	var narrow, wide []int
	rewrites := false
	for i := range p.entries {
		e := &p.entries[i]
		if !slices.Contains(e.kinds, kind) || !e.takesTool(ev) {
			continue
		}
		wide = append(wide, i)
		if e.touches(ev) {
			narrow = append(narrow, i)
			rewrites = rewrites || e.rewrites
		}
	}
	if rewrites {
		narrow = wide
	}
	out := make([]Hook, 0, len(narrow))
	for _, i := range narrow {
		h, err := p.hook(&p.entries[i])
		if err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}

func (e *indexEntry) takesTool(ev *trammel.Event) bool {
	return len(e.tools) == 0 || ev.Tool != nil && slices.Contains(e.tools, ev.Tool.Name)
}

func (e *indexEntry) touches(ev *trammel.Event) bool {
	if (len(e.actions) > 0 || len(e.programs) > 0) && ev.Tool == nil {
		return false
	}
	if len(e.actions) > 0 && !slices.Contains(e.actions, ev.Tool.Action.Kind.String()) {
		return false
	}
	if len(e.programs) > 0 && !match.Programs(e.programs).Holds(ev) {
		return false
	}
	return !e.filter.Excludes(ev)
}

// All returns every hook, in declaration order.
func (p *Plan) All() ([]Hook, error) {
	out := make([]Hook, 0, len(p.entries))
	for i := range p.entries {
		h, err := p.hook(&p.entries[i])
		if err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}

func (p *Plan) hook(e *indexEntry) (Hook, error) {
	if e.at < 0 || e.size < 0 || e.at > len(p.records) || e.size > len(p.records)-e.at {
		return Hook{}, fmt.Errorf("%w: a hook lies outside of the file", ErrCorrupt)
	}
	rec := p.records[e.at : e.at+e.size]
	if sum := sha256.Sum256(rec); string(sum[:]) != string(e.sum) {
		return Hook{}, fmt.Errorf("%w: a hook does not match its digest", ErrCorrupt)
	}
	r := &reader{b: rec}
	h := r.hook()
	if r.err == nil && len(r.b) > 0 {
		r.fail("something behind a hook")
	}
	return h, r.err
}
