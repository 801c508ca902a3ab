package evidence

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// One flipped byte, anywhere, is found, and the record is named.
func TestEveryFlippedByteIsFound(t *testing.T) {
	dir := fill(t, 7, Options{Segment: 600})
	list, err := segments(dir)
	if err != nil || len(list) < 2 {
		t.Fatalf("segments %v, %v", list, err)
	}
	names := []string{currentName}
	for _, s := range list {
		names = append(names, s.name)
	}
	flips := 0
	for _, name := range names {
		path := filepath.Join(dir, name)
		whole := read(t, path)
		seq, err := seqOfFirst(whole)
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			for _, flip := range []byte{0x01, 0x20, 0x80, whole[i] ^ '\n'} {
				if flip == 0 {
					continue
				}
				whole[i] ^= flip
				write(t, path, whole)
				want := seq + uint64(bytes.Count(whole[:i], []byte("\n")))
				expectBroken(t, dir, want, fmt.Sprintf("%s byte %d ^ %#x", name, i, flip))
				whole[i] ^= flip
				flips++
			}
		}
		write(t, path, whole)
	}
	sound(t, dir, 7)
	t.Logf("%d flips", flips)
}

func TestFlippedBytesOfALargeLogAreFound(t *testing.T) {
	const seed = 42
	t.Logf("seed %d", seed)
	dir := fill(t, 2000, Options{})
	path := filepath.Join(dir, currentName)
	whole := read(t, path)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		i := random.IntN(len(whole))
		flip := byte(1 + random.IntN(255))
		want := 1 + uint64(bytes.Count(whole[:i], []byte("\n")))
		whole[i] ^= flip
		write(t, path, whole)
		expectBroken(t, dir, want, fmt.Sprintf("byte %d ^ %#x", i, flip))
		whole[i] ^= flip
	}
}

func seqOfFirst(data []byte) (uint64, error) {
	r, err := ParseLine(data[:bytes.IndexByte(data, '\n')])
	return r.Seq, err
}

func expectBroken(t *testing.T, dir string, seq uint64, what string) {
	t.Helper()
	r, err := Verify(dir)
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
		"made anew": {func(l []string) []string {
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
