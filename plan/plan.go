package plan

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trammel-dev/trammel/internal/version"
)

// Reasons why a stored plan cannot be used. Each means: compile again.
var (
	ErrMissing = errors.New("no plan is stored")
	ErrStale   = errors.New("the stored plan is for another configuration")
	ErrForeign = errors.New("the stored plan was written by another version or another user")
	ErrCorrupt = errors.New("the stored plan is damaged")
)

// Plan is a compiled configuration, opened from its flat form.
type Plan struct {
	Settings Settings
	// Digest covers all sources that the plan was compiled from.
	Digest string
	// Notes are messages for the person: a changed project file, a hook that is
	// not trusted yet.
	Notes []string

	count   int    // of hooks
	index   []byte // entries in declaration order
	src     source
	records int64                    // their offset in the file
	read    atomic.Pointer[sync.Map] // the hooks that were read, by place; nil if they are not kept
}

// Keep has hooks read once, for a plan that serves many events. It is safe for concurrent use.
func (p *Plan) Keep() { p.read.CompareAndSwap(nil, &sync.Map{}) }

// The file consists of magic, total size, size of the head, its checksum, head,
// records. The whole head is checked on opening, each record when it is read.
const magic = "trammel-plan-16\n"

const sumSize = crc32.Size

// checksum finds damage. It need not withstand an attacker, who could write a
// whole plan with any checksum: only the owner of the cache can write to it.
func checksum(data []byte) uint32 { return crc32.ChecksumIEEE(data) }

// Encode writes the flat form.
func Encode(hooks []Hook, settings Settings, digest string, notes []string) []byte {
	var records, head writer
	head.string(version.Version) // presets and policies are part of the program
	head.string(digest)
	head.settings(&settings)
	head.strings(notes)
	head.uint(uint64(len(hooks)))
	for i := range hooks {
		h := &hooks[i]
		var rec writer
		rec.hook(h)
		var entry writer
		entry.index(h, place{sum: checksum(rec.b), at: len(records.b), size: len(rec.b)})
		head.string(string(entry.b))
		records.b = append(records.b, rec.b...)
	}
	total := len(magic) + 8 + 8 + sumSize + len(head.b) + len(records.b)
	out := make([]byte, 0, total)
	out = append(out, magic...)
	out = binary.BigEndian.AppendUint64(out, uint64(total))
	out = binary.BigEndian.AppendUint64(out, uint64(len(head.b)))
	out = binary.BigEndian.AppendUint32(out, checksum(head.b))
	out = append(out, head.b...)
	return append(out, records.b...)
}

// Decode opens the flat form. digest is that of the current sources; if the plan
// was made from others, it is stale. The plan refers to data, which must not be
// changed.
func Decode(data []byte, digest string) (*Plan, error) {
	return open(source{start: data, size: int64(len(data))}, digest)
}

// Open is Decode for a file of the given size. A small file is read at once; of
// a larger one only the head is, and records when an event selects their hooks.
func Open(file io.ReaderAt, size int64, digest string) (*Plan, error) {
	first := size
	if size > small {
		first = small / 2
	}
	start := make([]byte, first)
	if n, err := file.ReadAt(start, 0); n < len(start) {
		return nil, fmt.Errorf("%w: cut off: %w", ErrCorrupt, err)
	}
	return open(source{file: file, start: start, size: size}, digest)
}

func open(src source, digest string) (*Plan, error) {
	const fixed = len(magic) + 16 + sumSize
	if !bytes.HasPrefix(src.start, []byte(magic)) {
		return nil, ErrForeign
	}
	if len(src.start) < fixed {
		return nil, fmt.Errorf("%w: cut off in its first bytes", ErrCorrupt)
	}
	numbers := src.start[len(magic):fixed]
	total, headSize := binary.BigEndian.Uint64(numbers), binary.BigEndian.Uint64(numbers[8:])
	if total != uint64(src.size) || headSize > uint64(src.size)-uint64(fixed) {
		return nil, fmt.Errorf("%w: %d bytes, expected %d", ErrCorrupt, src.size, total)
	}
	head, err := src.part(int64(fixed), int64(headSize))
	if err != nil {
		return nil, err
	}
	if checksum(head) != binary.BigEndian.Uint32(numbers[16:]) {
		return nil, fmt.Errorf("%w: its head does not match its checksum", ErrCorrupt)
	}
	p := &Plan{src: src, records: int64(fixed) + int64(headSize)}
	r := &reader{b: head}
	if r.string() != version.Version {
		return nil, ErrForeign
	}
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

// small is the maximum size of a plan that is read at once. Copying some pages
// is cheaper than another system call.
const small = 16 << 10

// source is a plan's file, with its beginning in memory.
type source struct {
	file  io.ReaderAt
	start []byte
	size  int64
}

// part returns n bytes from an offset, without copying if they are in memory.
func (s *source) part(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || at > s.size || n > s.size-at {
		return nil, fmt.Errorf("%w: a part lies outside of the file", ErrCorrupt)
	}
	if at+n <= int64(len(s.start)) {
		return s.start[at : at+n : at+n], nil
	}
	out := make([]byte, n)
	if got, err := s.file.ReadAt(out, at); got < len(out) {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return out, nil
}

func (w *writer) settings(s *Settings) {
	w.int(int64(s.Deadline))
	w.int(s.MaxPayload)
	w.string(s.Evidence.Payload)
	w.string(s.Evidence.Fsync)
	w.int(s.Evidence.Segment)
	w.string(s.Evidence.OnError)
	w.bool(s.Flow.Environment)
	w.string(s.Flow.Profile)
	w.string(s.Flow.Disabled)
	w.string(s.Approvals)
	w.bool(s.AskPeople)
	w.string(s.MCP)
	w.string(s.Past)
}

func (r *reader) settings() Settings {
	return Settings{Deadline: time.Duration(r.int()), MaxPayload: r.int(),
		Evidence: EvidenceSettings{Payload: r.string(), Fsync: r.string(), Segment: r.int(), OnError: r.string()},
		Flow:     FlowSettings{Environment: r.bool(), Profile: r.string(), Disabled: r.string()}, Approvals: r.string(), AskPeople: r.bool(),
		MCP: r.string(), Past: r.string()}
}
