package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// memory is a log whose files are in memory.
type memory []file

type file struct {
	name string
	data []byte
}

// recall reads a log into memory.
func recall(t testing.TB, dir string) (m memory) {
	t.Helper()
	list, err := segments(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		m = append(m, file{s.name, read(t, filepath.Join(dir, s.name))})
	}
	return append(m, file{currentName, read(t, filepath.Join(dir, currentName))})
}

func (m memory) chunks(fn func(*chunk) error) error {
	for _, f := range m {
		if err := eachChunk(bytes.NewReader(f.data), f.name, fn); err != nil {
			return err
		}
	}
	return nil
}

// slowly verifies line by line, with nothing that is there for speed.
func (m memory) slowly() Report {
	v := verifier{}
	err := m.chunks(func(c *chunk) error { return c.lines(v.line) })
	errors.As(err, &v.report.Broken)
	v.report.Last, v.report.Head, v.report.prev = v.last.Seq, v.last.Hash, v.last.Prev
	return v.report
}

// smallChunks makes even small logs have seams.
func smallChunks(t testing.TB, size int) {
	before := chunkSize
	chunkSize = size
	buffers = sync.Pool{New: buffers.New}
	t.Cleanup(func() { chunkSize, buffers = before, sync.Pool{New: buffers.New} })
}

// One flipped byte, anywhere, is found, and the record is named.
func TestEveryFlippedByteIsFound(t *testing.T) {
	smallChunks(t, 1000)
	m := recall(t, fill(t, 7, Options{Segment: 600}))
	if len(m) < 3 {
		t.Fatalf("%d files", len(m))
	}
	flips := 0
	for _, f := range m {
		seq, err := seqOfFirst(f.data)
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.data {
			for _, flip := range []byte{0x01, 0x20, 0x80, f.data[i] ^ '\n'} {
				if flip == 0 {
					continue
				}
				f.data[i] ^= flip
				want := seq + uint64(bytes.Count(f.data[:i], []byte("\n")))
				r, err := verify(m.chunks, Receipt{})
				checkBroken(t, r, err, want, fmt.Sprintf("%s byte %d ^ %#x", f.name, i, flip))
				f.data[i] ^= flip
				flips++
			}
		}
	}
	t.Logf("%d flips", flips)
}

// What the fast way finds is what the slow way finds, to the last detail,
// whatever has been damaged and wherever the chunks begin.
func TestFastAndSlowAgree(t *testing.T) {
	const seed = 42
	random := rand.New(rand.NewPCG(seed, 0))
	whole := recall(t, fill(t, 60, Options{Segment: 4000}))
	for n := range 3000 {
		smallChunks(t, 100+random.IntN(3000))
		m := slices.Clone(whole)
		for range random.IntN(3) {
			at := random.IntN(len(m))
			m[at].data = damage(random, m[at].data)
			if random.IntN(20) == 0 {
				m = slices.Delete(m, at, at+1)
			}
			if len(m) == 0 {
				break
			}
		}
		got, err := verify(m.chunks, Receipt{})
		if want := m.slowly(); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d, case %d: got %+v, %v, %v, want %+v, %v", seed, n, got, got.Broken, err, want, want.Broken)
		}
	}
}

// damage changes, drops, repeats, exchanges or cuts something, or rebuilds a line.
func damage(random *rand.Rand, data []byte) []byte {
	lines := bytes.SplitAfter(data, newline)
	if lines = lines[:len(lines)-1]; len(lines) == 0 {
		return data
	}
	lines = slices.Clone(lines)
	i, j := random.IntN(len(lines)), random.IntN(len(lines))
	line := slices.Clone(lines[i])
	at := random.IntN(len(line))
	switch random.IntN(8) {
	case 0:
		line[at] ^= byte(1 + random.IntN(255))
		lines[i] = line
	case 1:
		lines = slices.Delete(lines, i, i+1)
	case 2:
		lines = slices.Insert(lines, i, line)
	case 3:
		lines[i], lines[j] = lines[j], lines[i]
	case 4:
		return data[:random.IntN(len(data))]
	case 5:
		lines[i] = slices.Delete(line, at, at+1)
	case 6: // another body, with a hash that fits
		if r, body, ok := parseLine(bytes.TrimSuffix(line, newline)); ok {
			body = append([]byte(`{"a":1,`), body[1:]...)
			r.Hash = r.sum(body)
			lines[i] = r.line(body)
		}
	case 7: // a body that is not canonical, with a hash that fits
		if r, body, ok := parseLine(bytes.TrimSuffix(line, newline)); ok {
			body = append([]byte(`{ `), body[1:]...)
			r.Hash = r.sum(body)
			lines[i] = r.line(body)
		}
	}
	return bytes.Join(lines, nil)
}

func seqOfFirst(data []byte) (uint64, error) {
	r, err := ParseLine(data[:bytes.IndexByte(data, '\n')])
	return r.Seq, err
}

func checkBroken(t *testing.T, r Report, err error, seq uint64, what string) {
	t.Helper()
	switch {
	case err != nil:
		t.Fatalf("%s: %v", what, err)
	case r.Broken == nil:
		t.Fatalf("%s: not found", what)
	case r.Broken.Seq != seq:
		t.Fatalf("%s: named record %d, want %d (%v)", what, r.Broken.Seq, seq, r.Broken)
	case r.Records != seq-1:
		t.Fatalf("%s: %d sound records, want %d", what, r.Records, seq-1)
	}
}

func TestFaultsAreToldApart(t *testing.T) {
	lines := func(dir string) []string {
		return strings.SplitAfter(strings.TrimSuffix(string(read(t, filepath.Join(dir, currentName))), "\n"), "\n")
	}
	forge := func(after Receipt, body string) string { return string(after.next([]byte(body)).line([]byte(body))) }
	for name, c := range map[string]struct {
		change func(l []string) []string
		want   Fault
		seq    uint64
	}{
		"dropped":       {func(l []string) []string { return append(l[:1:1], l[2:]...) }, SeqGap, 2},
		"dropped first": {func(l []string) []string { return l[1:] }, MissingSegment, 1},
		"repeated":      {func(l []string) []string { return append(l[:2:2], l[1:]...) }, Duplicate, 3},
		"swapped":       {func(l []string) []string { return []string{l[0], l[2], l[1], l[3]} }, SeqGap, 2},
		"blank line":    {func(l []string) []string { return []string{l[0], "\n", l[1]} }, NotARecord, 2},
		"changed body":  {func(l []string) []string { l[1] = strings.Replace(l[1], "xx", "xy", 1); return l }, HashMismatch, 2},
		"rebuilt": {func(l []string) []string {
			l[1] = forge(Receipt{Seq: 1, Hash: strings.Repeat("a", 64)}, `{"a":1}`)
			return l
		}, PrevMismatch, 2},
		"successor of a forgery": {func(l []string) []string {
			first, _ := ParseLine([]byte(strings.TrimSuffix(l[0], "\n")))
			l[1] = forge(first, `{"a":1}`)
			return l
		}, PrevMismatch, 3},
		"spaces":        {func(l []string) []string { l[0] = forge(Receipt{}, `{"a": 1}`); return l[:1] }, NotCanonical, 1},
		"unsorted":      {func(l []string) []string { l[0] = forge(Receipt{}, `{"b":1,"a":1}`); return l[:1] }, NotCanonical, 1},
		"duplicate key": {func(l []string) []string { l[0] = forge(Receipt{}, `{"a":1,"a":1}`); return l[:1] }, NotCanonical, 1},
		"long number":   {func(l []string) []string { l[0] = forge(Receipt{}, `{"a":1.0}`); return l[:1] }, NotCanonical, 1},
		"two bodies":    {func(l []string) []string { l[0] = forge(Receipt{}, `{},"c":{}`+`}`); return l[:1] }, NotCanonical, 1},
		"no end":        {func(l []string) []string { l[3] = strings.TrimSuffix(l[3], "\n"); return l }, TornTail, 4},
	} {
		dir := fill(t, 4, Options{})
		l := lines(dir)
		l[3] += "\n"
		write(t, filepath.Join(dir, currentName), []byte(strings.Join(c.change(l), "")))
		r, err := Verify(dir)
		if err != nil || r.Broken == nil || r.Broken.Fault != c.want || r.Broken.Seq != c.seq {
			t.Errorf("%s: got %+v (%v), want %s at record %d", name, r.Broken, err, c.want, c.seq)
		}
	}
}

func TestMissingSegmentIsNamed(t *testing.T) {
	dir := fill(t, 20, Options{Segment: 900})
	list, _ := segments(dir)
	if err := os.Remove(filepath.Join(dir, list[1].name)); err != nil {
		t.Fatal(err)
	}
	r, err := Verify(dir)
	if err != nil || r.Broken == nil || r.Broken.Fault != MissingSegment || r.Broken.Seq != list[1].first || r.Broken.File != list[2].name {
		t.Errorf("got %+v, %v", r.Broken, err)
	}
}

func TestVerifyNeedsNoWriting(t *testing.T) {
	dir := fill(t, 3, Options{})
	os.Remove(filepath.Join(dir, lockName)) // as in a copy
	sound(t, dir, 3)
	if _, err := os.Stat(filepath.Join(dir, lockName)); err == nil {
		t.Error("verify made a lock file")
	}
	if _, err := Verify(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a log that does not exist verified")
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add([]byte(strings.TrimSuffix(string(Receipt{}.next([]byte("{}")).line([]byte("{}"))), "\n")))
	f.Add([]byte(`{"body":{},"hash":"","prev":"","seq":1}`))
	f.Add([]byte(`}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if r, body, ok := parseLine(line); ok {
			if again := r.line(body); string(again) != string(line)+"\n" {
				t.Fatalf("%q is written as %q", line, again)
			}
		}
		v := verifier{}
		v.line(rawLine{data: line, ended: true})
	})
}
