package eliderepeatedtoolresults

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/state"
)

// A session's memory consists of records of fixed size, the latest at the end.
const (
	part       = 16
	size       = 3 * part
	maxRecords = 4096
)

// record is one call and its result, as digests: of the call, of the result, and
// of the host's id for the call, zeros if there is none.
type record [size]byte

func (r *record) call() []byte   { return r[:part] }
func (r *record) result() []byte { return r[part : 2*part] }
func (r *record) id() []byte     { return r[2*part:] }

// named reports whether the host gave the call an id.
func (r *record) named() bool { return [part]byte(r.id()) != [part]byte{} }

// recordOf digests the event. Agents of one session do not see each other's
// results, and a relative path means another file in another directory.
func recordOf(ev *trammel.Event) (record, error) {
	var r record
	input, err := canonical.Append(nil, ev.Tool.Input)
	if err != nil {
		return r, fmt.Errorf("the arguments of %s: %w", ev.Tool.Name, err)
	}
	h := sha256.New()
	for _, text := range [...]string{ev.Session.Agent, ev.Session.AgentID, ev.Session.Dir, ev.Tool.Name} {
		fmt.Fprintf(h, "%d:%s", len(text), text)
	}
	h.Write(input)
	copy(r.call(), h.Sum(nil))
	result := sha256.Sum256([]byte(ev.Tool.Output))
	copy(r.result(), result[:])
	if ev.Tool.ID != "" {
		id := sha256.Sum256([]byte(ev.Tool.ID))
		copy(r.id(), id[:])
	}
	return r, nil
}

// remember stores a call and its result, and reports whether the model has that
// result from an earlier call. A host that reports one call in two events does
// not repeat it.
func (h handler) remember(ctx context.Context, ev *trammel.Event, r record) (repeated bool, err error) {
	err = h.store(ev).Update(ctx, key(ev), func(old []byte) ([]byte, error) {
		records := parse(old)
		at, told := find(records, &r)
		if told {
			return nil, nil
		}
		if at >= 0 {
			repeated = bytes.Equal(records[at].result(), r.result())
			records = slices.Delete(records, at, at+1)
		}
		records = append(records, r)
		var data []byte
		for i := max(0, len(records)-maxRecords); i < len(records); i++ {
			data = append(data, records[i][:]...)
		}
		return data, nil
	})
	if err != nil {
		return false, fmt.Errorf("remember a result: %w", err)
	}
	return repeated, nil
}

// find returns the index of an earlier record of a call, -1 if there is none. told
// is true if it is the same event again, perhaps rewritten meanwhile.
func find(records []record, r *record) (at int, told bool) {
	at = slices.IndexFunc(records, func(old record) bool { return bytes.Equal(old.call(), r.call()) })
	return at, at >= 0 && r.named() && bytes.Equal(records[at].id(), r.id())
}

// sessions stores the memories, one per session.
var sessions = trammel.Bucket{Name: "repeats", Keep: 7 * 24 * time.Hour, Most: 256, Lossy: true}

func (h handler) store(ev *trammel.Event) state.Store {
	return state.Store{State: h.state, Bucket: &sessions, Rehearsal: ev.Rehearsal}
}

func key(ev *trammel.Event) trammel.Key { return trammel.Key{ev.Host, ev.Session.ID} }

// parse reads the records of a session. Damaged data counts as empty: forgetting
// only costs a repetition, failing would cost a result.
func parse(data []byte) []record {
	if len(data)%size != 0 || len(data) > size*maxRecords {
		return nil
	}
	out := make([]record, 0, len(data)/size+1)
	for r := range slices.Chunk(data, size) {
		out = append(out, record(r))
	}
	return out
}
