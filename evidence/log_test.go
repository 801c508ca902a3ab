package evidence

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel/internal/flock"
)

// FST-63: append-only and hash-chained.
func TestAppendChains(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "log")
	log := Open(dir, Options{Fsync: true})
	prev := zeroHash
	for i := uint64(1); i <= 5; i++ {
		r, err := log.Append(soon(t), body("x", 10))
		if err != nil {
			t.Fatal(err)
		}
		if r.Seq != i || r.Prev != prev || len(r.Hash) != 64 {
			t.Fatalf("receipt %+v, want seq %d and prev %s", r, i, prev)
		}
		prev = r.Hash
	}
	if r := sound(t, dir, 5); r.Head != prev || r.Segments != 1 {
		t.Errorf("report %+v", r)
	}
	for _, line := range bytes.Split(bytes.TrimSuffix(read(t, filepath.Join(dir, currentName)), []byte("\n")), []byte("\n")) {
		v := jsontext.Value(bytes.Clone(line))
		if err := v.Canonicalize(); err != nil || !bytes.Equal(v, line) {
			t.Errorf("not canonical (%v): %s", err, line)
		}
	}
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no file modes")
	}
	dir := fill(t, 1, Options{})
	for path, want := range map[string]os.FileMode{dir: 0o700, dir + "/lock": 0o600, dir + "/current.jsonl": 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, want %v (%v)", path, info.Mode().Perm(), want, err)
		}
	}
}

func TestAppendRefusesOtherBodies(t *testing.T) {
	dir := fill(t, 1, Options{})
	for _, body := range []string{"", "{", "[]", `"x"`, "{\"a\":\n1}", "{}\n"} {
		if _, err := Open(dir, Options{}).Append(soon(t), []byte(body)); err == nil {
			t.Errorf("%q was taken", body)
		}
	}
	sound(t, dir, 1)
}

func TestRotation(t *testing.T) {
	dir := fill(t, 50, Options{Segment: 1000, Fsync: true})
	r := sound(t, dir, 50)
	if r.Segments < 5 {
		t.Errorf("%d segments, want some", r.Segments)
	}
	list, err := segments(dir)
	if err != nil || list[0].first != 1 {
		t.Errorf("segments %v, %v", list, err)
	}
	for _, s := range list {
		if data := read(t, filepath.Join(dir, s.name)); len(data) > 1000 {
			t.Errorf("%s has %d bytes", s.name, len(data))
		}
	}
}

func TestAppendGoesOnBehindTheSegmentsWhenTheCurrentFileIsGone(t *testing.T) {
	for name, prepare := range map[string]func(path string) error{
		"missing": os.Remove, // killed between the rename and the new file
		"empty":   func(path string) error { return os.Truncate(path, 0) },
	} {
		dir := fill(t, 9, Options{Segment: 700})
		list, _ := segments(dir)
		last := list[len(list)-1]
		if err := prepare(filepath.Join(dir, currentName)); err != nil {
			t.Fatal(err)
		}
		before, err := Verify(dir)
		if err != nil || before.Broken != nil {
			t.Fatal(name, err, before.Broken)
		}
		extend(t, dir, 1, Options{})
		if r := sound(t, dir, int(before.Records)+1); r.Records <= last.first {
			t.Errorf("%s: %d records", name, r.Records)
		}
	}
}

func TestAppendRefusesToGoOnBehindABrokenSegment(t *testing.T) {
	dir := fill(t, 9, Options{Segment: 700})
	os.Remove(filepath.Join(dir, currentName))
	list, _ := segments(dir)
	path := filepath.Join(dir, list[len(list)-1].name)
	data := read(t, path)
	for _, left := range [][]byte{data[:len(data)-3], nil} {
		write(t, path, left)
		if r, err := Open(dir, Options{}).Append(soon(t), body("x", 1)); err == nil {
			t.Errorf("went on with %+v", r)
		}
	}
}

func TestSymlinksAreRefused(t *testing.T) {
	for _, name := range []string{lockName, currentName} {
		dir := t.TempDir()
		target := filepath.Join(t.TempDir(), "target")
		write(t, target, nil)
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
		if _, err := Open(dir, Options{}).Append(soon(t), body("x", 1)); err == nil || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%s: %v", name, err)
		}
		if data := read(t, target); len(data) > 0 {
			t.Errorf("%s: wrote %q through the link", name, data)
		}
	}
}

func TestAppendWaitsNoLongerThanItsContext(t *testing.T) {
	dir := fill(t, 1, Options{})
	held, err := flock.Lock(soon(t), filepath.Join(dir, lockName))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 1)
	defer cancel()
	if _, err := Open(dir, Options{}).Append(ctx, body("x", 1)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestGoroutinesShareALog(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log := Open(dir, Options{Segment: 4000})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 25 {
				if _, err := log.Append(soon(t), body("x", 50)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	sound(t, dir, 200)
}

// A torn tail, cut at every byte of the last record: the whole ones stay, the
// rest is put aside, the chain goes on.
func TestTornTailAtEveryCut(t *testing.T) {
	dir := fill(t, 3, Options{})
	path := filepath.Join(dir, currentName)
	whole := read(t, path)
	start := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	for cut := start; cut < len(whole); cut++ {
		os.RemoveAll(filepath.Join(dir, tornName))
		write(t, path, whole[:cut])
		if cut > start {
			if r, err := Verify(dir); err != nil || r.Broken == nil || r.Broken.Fault != TornTail || r.Broken.Seq != 3 {
				t.Fatalf("cut at %d: %+v, %v", cut, r.Broken, err)
			}
		}
		r, err := Open(dir, Options{}).Append(soon(t), body("new", 5))
		if err != nil || r.Seq != 3 {
			t.Fatalf("cut at %d: %+v, %v", cut, r, err)
		}
		report := sound(t, dir, 3)
		if !bytes.HasPrefix(read(t, path), whole[:start]) {
			t.Fatalf("cut at %d: a whole record was lost", cut)
		}
		if cut == start {
			continue
		}
		if report.Torn != 1 {
			t.Fatalf("cut at %d: %d files in torn, want 1", cut, report.Torn)
		}
		files, _ := os.ReadDir(filepath.Join(dir, tornName))
		if got := read(t, filepath.Join(dir, tornName, files[0].Name())); !bytes.Equal(got, whole[start:cut]) {
			t.Fatalf("cut at %d: put %q aside, want %q", cut, got, whole[start:cut])
		}
	}
}

// What a power failure may leave behind the records: zeros, or anything else
// that has no end.
func TestGarbageBehindTheLastRecordIsPutAside(t *testing.T) {
	for _, garbage := range []string{"\x00\x00\x00\x00", "{\"body\":", strings.Repeat("z", 3<<20)} {
		dir := fill(t, 3, Options{})
		path := filepath.Join(dir, currentName)
		write(t, path, append(read(t, path), garbage...))
		cut, err := Open(dir, Options{}).tidy(soon(t))
		if err != nil || cut != int64(len(garbage)) {
			t.Errorf("cut %d bytes, want %d (%v)", cut, len(garbage), err)
		}
		sound(t, dir, 3)
		extend(t, dir, 1, Options{})
		sound(t, dir, 4)
	}
}

// A line that has an end but is no record was not torn by a killed writer:
// somebody changed it. Going on must not tidy that away.
func TestAChangedLastLineStaysToBeFound(t *testing.T) {
	for what, change := range map[string]func(last []byte) []byte{
		"a byte of its hash": func(last []byte) []byte { last[bytes.LastIndex(last, []byte(`"hash":"`))+10] = 'x'; return last },
		"its last brace":     func(last []byte) []byte { last[len(last)-2] = ']'; return last },
		"all of it":          func([]byte) []byte { return []byte("nothing\n") },
		"a line behind it":   func(last []byte) []byte { return append(last, "more\n"...) },
	} {
		dir := fill(t, 3, Options{})
		path := filepath.Join(dir, currentName)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cut := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
		if err := os.WriteFile(path, append(data[:cut:cut], change(bytes.Clone(data[cut:]))...), 0o600); err != nil {
			t.Fatal(err)
		}
		want, next := uint64(3), uint64(4) // the changed line counts
		if what == "a line behind it" {
			want, next = 4, 5
		}
		l := Open(dir, Options{})
		for n := range uint64(3) {
			if r, err := l.Append(t.Context(), []byte(`{"n":1}`)); err != nil || r.Seq != next+n {
				t.Fatalf("%s: the log cannot go on, or not with this number: %+v, %v", what, r, err)
			}
		}
		rep, err := Verify(dir)
		if err != nil {
			t.Fatal(err)
		}
		if rep.Broken == nil || rep.Broken.Seq != want || rep.Torn != 0 {
			t.Errorf("%s: broken %v, torn %d, want record %d named", what, rep.Broken, rep.Torn, want)
		}
	}
}

// A last line whose end is not one is no whole line, however whole it looks.
func TestLineWithoutItsEndIsNotWhole(t *testing.T) {
	dir := fill(t, 3, Options{})
	path := filepath.Join(dir, currentName)
	data := read(t, path)
	data[len(data)-1] = 'x'
	write(t, path, data)
	if r, err := Open(dir, Options{}).Append(soon(t), body("x", 1)); err != nil || r.Seq != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	sound(t, dir, 3)
}

func TestRecoverLeavesASoundLogAlone(t *testing.T) {
	dir := fill(t, 3, Options{})
	before := read(t, filepath.Join(dir, currentName))
	if cut, err := Open(dir, Options{}).tidy(soon(t)); cut != 0 || err != nil {
		t.Errorf("cut %d, %v", cut, err)
	}
	if !bytes.Equal(before, read(t, filepath.Join(dir, currentName))) {
		t.Error("the log was changed")
	}
}

func BenchmarkAppend(b *testing.B) {
	for name, size := range map[string]int{"1024": 1024, "4096": 4096, "marked-1024": 1024} {
		b.Run(name, func(b *testing.B) {
			dir := filepath.Join(b.TempDir(), "log")
			opts := Options{}
			if strings.HasPrefix(name, "marked") {
				opts.Mark = filepath.Join(b.TempDir(), "mark")
			}
			data := body("x", size)
			for b.Loop() {
				if _, err := Open(dir, opts).Append(context.Background(), data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
