package evidence

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A file that is rotated away more than once while a reader catches up is read
// twice: as a segment and as what was the current file. That is no new log.
func TestRotationsWhileCatchingUp(t *testing.T) {
	dir := fill(t, 16, Options{Segment: 900})
	list, err := segments(dir)
	if err != nil || len(list) < 3 {
		t.Fatal(list, err)
	}
	write(t, filepath.Join(dir, currentName), read(t, filepath.Join(dir, list[0].name)))
	var got []uint64
	f := follower{dir: dir, next: 1, fn: func(e Entry) error { got = append(got, e.Seq); return nil }}
	defer f.close()
	if err := f.poll(); err != nil || !slices.IsSorted(got) || len(got) < 8 {
		t.Errorf("%v, %v", got, err)
	}
}

// What a reader is told of each record, and where it stops.
func TestWhatReadersSee(t *testing.T) {
	dir := fill(t, 5, Options{Segment: 500})
	path := filepath.Join(dir, currentName)
	current := read(t, path)
	write(t, path, append(slices.Clone(current), `{"body":{"half`...)) // a writer was killed
	boom := errors.New("boom")
	readers := map[string]func(func(Entry) error) error{
		"scan": func(fn func(Entry) error) error { return Scan(dir, fn) },
		"tail": func(fn func(Entry) error) error { return Tail(soon(t), dir, 0, fn) },
	}
	for name, reader := range readers {
		var got []string
		err := reader(func(e Entry) error {
			got = append(got, fmt.Sprint(e.Seq, " ", e.Segment, ":", e.Number))
			if r, body, ok := parseLine(e.Line); !ok || r != e.Receipt || string(body) != string(e.Body) {
				t.Errorf("%s: %s", name, e.Line)
			}
			if e.Seq == 5 {
				return ErrStop
			}
			return nil
		})
		want := "1 segment-000000000001.jsonl:1|2 segment-000000000001.jsonl:2|3 segment-000000000003.jsonl:1|" +
			"4 segment-000000000003.jsonl:2|5 current.jsonl:1"
		if strings.Join(got, "|") != want || err != nil {
			t.Errorf("%s: %s, %v", name, strings.Join(got, "|"), err)
		}
		if err := reader(func(Entry) error { return boom }); !errors.Is(err, boom) {
			t.Errorf("%s: %v", name, err)
		}
	}
	next := Receipt{Seq: 5, Hash: strings.Repeat("a", 64)}.next([]byte("{}")).line([]byte("{}"))
	write(t, path, append(current, next[:len(next)-1]...)) // all but its end
	whole := 0
	if err := Scan(dir, func(e Entry) error { whole++; return nil }); err != nil || whole != 5 {
		t.Errorf("%d records, %v", whole, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Tail(ctx, dir, 6, func(e Entry) error { t.Errorf("got %d", e.Seq); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	if err := Tail(ctx, dir, 7, func(Entry) error { return nil }); !errors.Is(err, ErrRestarted) {
		t.Errorf("a log that has fewer records: %v", err)
	}
}

// Lines have the same numbers in a file that grows while it is read, and a file
// that is gone for a moment, as in a rotation, is no error.
func TestTailOfAGrowingFile(t *testing.T) {
	dir := fill(t, 2, Options{})
	var got []string
	f := follower{dir: dir, next: 1, fn: func(e Entry) error { got = append(got, fmt.Sprint(e.Seq, ":", e.Number)); return nil }}
	defer f.close()
	for range 3 {
		if err := f.poll(); err != nil {
			t.Fatal(err)
		}
		extend(t, dir, 1, Options{})
	}
	if strings.Join(got, " ") != "1:1 2:2 3:3 4:4" {
		t.Errorf("%v", got)
	}
	path := filepath.Join(dir, currentName)
	if err := os.Rename(path, filepath.Join(dir, segmentName(1))); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := f.poll(); err != nil {
			t.Fatal(err)
		}
	}
	extend(t, dir, 1, Options{})
	if err := f.poll(); err != nil || len(got) != 6 || got[5] != "6:1" {
		t.Errorf("%v, %v", got, err)
	}
}

// A log that is begun again while it is followed is told from one that goes on,
// however many records it has.
func TestTailSeesALogBegunAnew(t *testing.T) {
	for _, records := range []int{1, 3, 4, 6} {
		dir := fill(t, 3, Options{})
		f := follower{dir: dir, next: 1, fn: func(Entry) error { return nil }}
		defer f.close()
		if err := f.poll(); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		log := Open(dir, Options{})
		for range records {
			if _, err := log.Append(soon(t), body("other", 5)); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.poll(); !errors.Is(err, ErrRestarted) {
			t.Errorf("%d records: %v", records, err)
		}
	}
}

// The last record is found wherever it stands.
func TestLast(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	if r, err := Last(dir); err == nil || r.Seq != 0 {
		t.Errorf("no log: %+v, %v", r, err)
	}
	extend(t, dir, 5, Options{Segment: 500})
	path := filepath.Join(dir, currentName)
	current := read(t, path)
	for name, c := range map[string]struct {
		data []byte
		want uint64
	}{"whole": {current, 5}, "torn": {append(slices.Clone(current), `{"body":`...), 5}, "only torn": {current[:20], 4}, "empty": {nil, 4}} {
		write(t, path, c.data)
		if r, err := Last(dir); err != nil || r.Seq != c.want || len(r.Hash) != hashLen {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if r, err := Last(dir); err != nil || r.Seq != 4 {
		t.Errorf("without a current file: %+v, %v", r, err)
	}
}
