package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"strings"
	"time"
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

	count   int    // of hooks
	index   []byte // their entries, in the order of declaration
	records []byte
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
		var entry writer
		entry.index(h, place{sum: sum[:], at: len(records.b), size: len(rec.b)})
		head.string(string(entry.b))
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
	p.count = r.count()
	p.index = r.b
	return p, r.err
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
