package eliderepeatedtoolresults

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/internal/layers"
)

// A session's memory is a file of records of one size, the latest at the end.
const (
	part       = 16
	size       = 3 * part
	maxRecords = 4096
	// maxSessions is of how many sessions there is a memory.
	maxSessions = 256
)

// record is one call and what came of it, as digests: which call it is, what
// its result was, and the host's id of the call, "" as zeros.
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

// remember notes a call and its result, and reports whether the model has that
// result from an earlier call. A host that reports one call in two events does
// not make a repetition of it.
func remember(ctx context.Context, ev *trammel.Event, r record) (repeated bool, err error) {
	path, err := memory(ev)
	if err != nil {
		return false, err
	}
	if ev.Rehearsal { // files are put in place whole, so no lock is needed to read one
		records, err := read(path)
		at, told := find(records, &r)
		return at >= 0 && !told && bytes.Equal(records[at].result(), r.result()), err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return false, fmt.Errorf("remember a result: %w", err)
	}
	held, err := flock.Lock(ctx, path+".lock")
	if err != nil {
		return false, fmt.Errorf("remember a result: %w", err)
	}
	defer held.Unlock()
	records, err := read(path)
	if err != nil {
		return false, fmt.Errorf("remember a result: %w", err)
	}
	at, told := find(records, &r)
	if told {
		return false, nil
	}
	if at >= 0 {
		repeated = bytes.Equal(records[at].result(), r.result())
		records = slices.Delete(records, at, at+1)
	}
	records = append(records, r)
	records = records[max(0, len(records)-maxRecords):]
	if len(records) == 1 && at < 0 {
		sweep(filepath.Dir(path))
	}
	if err := write(path, records); err != nil {
		return false, fmt.Errorf("remember a result: %w", err)
	}
	return repeated, nil
}

// find looks for an earlier record of a call, -1 if there is none. told is true
// if it is of the same event once more, perhaps rewritten meanwhile.
func find(records []record, r *record) (at int, told bool) {
	at = slices.IndexFunc(records, func(old record) bool { return bytes.Equal(old.call(), r.call()) })
	return at, at >= 0 && r.named() && bytes.Equal(records[at].id(), r.id())
}

// forget deletes the memory of a session.
func forget(ctx context.Context, ev *trammel.Event) error {
	path, err := memory(ev)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) || ev.Rehearsal {
		return nil
	}
	held, err := flock.Lock(ctx, path+".lock")
	if err != nil {
		return fmt.Errorf("forget results: %w", err)
	}
	defer held.Unlock()
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget results: %w", err)
	}
	os.Remove(path + ".lock") // two holders could only make each other forget
	return nil
}

// memory is the path of a session's memory.
func memory(ev *trammel.Event) (string, error) {
	dirs, err := layers.System()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(ev.Host + "\x00" + ev.Session.ID))
	return filepath.Join(dirs.State, "repeats", hex.EncodeToString(sum[:12])), nil
}

// read returns the records of a file. One that is damaged holds none: to
// forget costs a repetition, to err would cost a result.
func read(path string) ([]record, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if len(data)%size != 0 || len(data) > size*maxRecords {
		return nil, nil
	}
	out := make([]record, 0, len(data)/size+1)
	for r := range slices.Chunk(data, size) {
		out = append(out, record(r))
	}
	return out, nil
}

// write is under the lock, and whole or not at all.
func write(path string, records []record) error {
	data := make([]byte, 0, len(records)*size)
	for i := range records {
		data = append(data, records[i][:]...)
	}
	next := path + ".next"
	if err := os.WriteFile(next, data, 0o600); err != nil {
		return err
	}
	return os.Rename(next, path)
}

// sweep makes room for one more session: of those beyond the limit, the ones
// go that were not used for longest.
func sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && !strings.Contains(e.Name(), ".") {
			files = append(files, fi)
		}
	}
	if len(files) < maxSessions {
		return
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, fi := range files[:len(files)-maxSessions+1] {
		path := filepath.Join(dir, fi.Name())
		os.Remove(path)
		os.Remove(path + ".lock")
	}
}
