package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/trammel-dev/trammel/internal/version"
)

// Why a stored plan cannot be used. Each means: compile again.
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
	file    io.ReaderAt
	records int64 // where they begin in the file
	end     int64
}

// The file: magic, size of all, digest of the head, head, records. The head is
// checked whole, each record when it is read.
const magic = "trammel-plan-9\n"

const sumSize = sha256.Size

// Encode writes the flat form.
func Encode(hooks []Hook, settings Settings, digest string, notes []string) []byte {
	var records, head writer
	head.string(version.Version) // presets and policies come with the program
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
	return Open(whole(data), int64(len(data)), digest)
}

// Open is Decode for a file of some size. A small one is read at once; of a
// larger one only the head, and the records of hooks when an event selects them.
func Open(file io.ReaderAt, size int64, digest string) (*Plan, error) {
	const fixed = len(magic) + 16 + sumSize
	if size <= small {
		data := make([]byte, size)
		n, err := file.ReadAt(data, 0)
		if n < len(data) {
			return nil, fmt.Errorf("%w: cut off: %w", ErrCorrupt, err)
		}
		file = whole(data)
	}
	start := make([]byte, fixed)
	n, err := file.ReadAt(start, 0)
	if !bytes.HasPrefix(start[:n], []byte(magic)) {
		return nil, ErrForeign
	}
	if n < fixed {
		return nil, fmt.Errorf("%w: cut off in its first bytes: %w", ErrCorrupt, err)
	}
	numbers := start[len(magic):]
	total, headSize := binary.BigEndian.Uint64(numbers), binary.BigEndian.Uint64(numbers[8:])
	if total != uint64(size) || headSize > uint64(size)-uint64(fixed) {
		return nil, fmt.Errorf("%w: %d bytes, expected %d", ErrCorrupt, size, total)
	}
	head := make([]byte, headSize)
	if n, err := file.ReadAt(head, int64(fixed)); n < len(head) {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if sum := sha256.Sum256(head); !bytes.Equal(sum[:], numbers[16:]) {
		return nil, fmt.Errorf("%w: its head does not match its digest", ErrCorrupt)
	}
	p := &Plan{file: file, records: int64(fixed) + int64(headSize), end: size}
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

// small is how large a plan may be to be read at once: a call of the kernel
// costs more than copying some pages.
const small = 16 << 10

// whole is a plan in memory.
type whole []byte

func (w whole) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at > int64(len(w)) {
		return 0, io.EOF
	}
	n := copy(p, w[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
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
}

func (r *reader) settings() Settings {
	return Settings{Deadline: time.Duration(r.int()), MaxPayload: r.int(),
		Evidence: EvidenceSettings{Payload: r.string(), Fsync: r.string(), Segment: r.int(), OnError: r.string()},
		Flow:     FlowSettings{Environment: r.bool(), Profile: r.string(), Disabled: r.string()}}
}
