package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/trammel-dev/trammel/internal/flock"
)

// A line's place is read only from a suffix of exactly the shape that is written.
func TestSuffixesOfAnotherShape(t *testing.T) {
	line := strings.TrimSuffix(string(Receipt{Seq: 41, Hash: strings.Repeat("a", 64)}.next([]byte("{}")).line([]byte("{}"))), "\n")
	if r, _, ok := parseSuffix([]byte(line)); !ok || r.Seq != 42 {
		t.Fatal(r, ok)
	}
	if p, ok := split([]byte(line)); !ok || p.seq != 42 {
		t.Fatal(p.seq, ok)
	}
	for _, change := range [][2]string{
		{`"seq":42}`, `"seq":042}`}, {`"seq":42}`, `"seq":0}`}, {`"seq":42}`, `"seq":}`}, {`"seq":42}`, `"seq":-42}`}, {`"seq":42}`, `"seq":42`},
		{`"seq":42}`, `"seq":99999999999999999999}`}, {`","seq":`, `","num":`}, {`","prev":"`, `","past":"`}, {`,"hash":"`, `,"hush":"`},
		{`"prev":"a`, `"prev":"A`}, {`"prev":"a`, `"prev":"`}, {line, "}"}, {line, ""}, {line, "1}"},
	} {
		forged := strings.Replace(line, change[0], change[1], 1)
		if forged == line {
			t.Fatalf("%s is not in %s", change[0], line)
		}
		if r, _, ok := parseSuffix([]byte(forged)); ok {
			t.Errorf("%s: read as record %d", forged, r.Seq)
		}
		if p, ok := split([]byte(forged)); ok && isHex(p.prev) && isHex(p.hash) {
			t.Errorf("%s: taken apart as record %d", forged, p.seq)
		}
	}
}

// A record that follows the one before it but bears another number is found,
// also where a file or a chunk begins with it.
func TestRenumberedRecords(t *testing.T) {
	first := Receipt{}.next([]byte("{}"))
	for name, c := range map[string]struct {
		files []string
		want  Fault
	}{
		"first":   {[]string{"", renumbered(first, 3)}, MissingSegment},
		"same":    {[]string{"", renumbered(first, 1)}, Duplicate},
		"further": {[]string{renumbered(first, 3)}, SeqGap},
	} {
		m := memory{{"a", first.line([]byte("{}"))}}
		for _, f := range c.files {
			if f == "" {
				m = append(m, file{"b", nil})
			} else {
				m[len(m)-1].data = append(m[len(m)-1].data, f...)
			}
		}
		for _, size := range []int{100, 256 << 10} {
			smallChunks(t, size)
			if r, err := verify(m.chunks, Receipt{}); err != nil || r.Broken == nil || r.Broken.Fault != c.want || r.Records != 1 {
				t.Errorf("%s: %+v, %v", name, r.Broken, err)
			}
		}
	}
}

// renumbered is the line of a record that follows another, with this number.
func renumbered(after Receipt, seq uint64) string {
	r := Receipt{Seq: seq, Prev: after.Hash}
	r.Hash = r.sum([]byte("{}"))
	return string(r.line([]byte("{}")))
}

// A log that cannot be read to its end is not taken for a shorter one.
func TestReadErrorsAreTold(t *testing.T) {
	boom := errors.New("boom")
	whole := Receipt{}.next([]byte("{}")).line([]byte("{}"))
	broken := func(fn func(*chunk) error) error {
		return eachChunk(io.MultiReader(bytes.NewReader(whole), iotest.ErrReader(boom)), "a", fn)
	}
	if r, err := verify(broken, Receipt{}); !errors.Is(err, boom) {
		t.Errorf("%+v, %v", r, err)
	}
	if _, _, err := lastWhole(failing{boom}, 10); !errors.Is(err, boom) {
		t.Error(err)
	}
	if _, err := lastEnd(failing{boom}, 10); !errors.Is(err, boom) {
		t.Error(err)
	}
	if n, err := countLines(iotest.ErrReader(boom)); !errors.Is(err, boom) {
		t.Error(n, err)
	}
}

type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

// The last record is found behind any number of lines that are not records, however long
// it is.
func TestLastWholeOfLongFiles(t *testing.T) {
	long := body("long", 3<<20)
	first := Receipt{}.next([]byte("{}"))
	second := first.next(long)
	data := append(first.line([]byte("{}")), second.line(long)...)
	for name, c := range map[string]struct {
		behind string
		want   Receipt
		end    int
	}{
		"nothing":   {"", second, len(data)},
		"torn":      {`{"body"`, second, len(data)},
		"lines":     {strings.Repeat("no record\n", 200_000), second, len(data)},
		"long line": {strings.Repeat("x", 2<<20) + "\n", second, len(data)},
	} {
		all := append(bytes.Clone(data), c.behind...)
		end, r, err := lastWhole(bytes.NewReader(all), int64(len(all)))
		if err != nil || r != c.want || end != int64(c.end) {
			t.Errorf("%s: record %d, ends at %d, %v", name, r.Seq, end, err)
		}
	}
	if end, r, err := lastWhole(strings.NewReader("a\nb\n"), 4); end != 0 || r.Seq != 0 || err != nil {
		t.Errorf("no record: %d, %d, %v", r.Seq, end, err)
	}
	if end, err := lastEnd(strings.NewReader("\n"+strings.Repeat("x", 100<<10)), 1+100<<10); end != 1 || err != nil {
		t.Errorf("the last line ends at %d, %v", end, err)
	}
}

// Only a whole head is believed.
func TestHeadsOfAnotherShape(t *testing.T) {
	good := fmt.Sprintf("%020d %s %020d\n", 7, strings.Repeat("a", 64), 99)
	for text, want := range map[string]bool{
		good: true, "": false, good[:len(good)-1]: false, good[:len(good)-1] + " ": false, "x" + good[1:]: false,
		strings.Replace(good, "99\n", "9x\n", 1): false, strings.Replace(good, "a", "A", 1): false,
	} {
		path := filepath.Join(t.TempDir(), "lock")
		write(t, path, []byte(text))
		held, err := flock.Lock(soon(t), path)
		if err != nil {
			t.Fatal(err)
		}
		h, known := readHead(held)
		held.Unlock()
		if known != want || known && (h.Seq != 7 || h.Size != 99 || h.Hash != strings.Repeat("a", 64)) {
			t.Errorf("%q: %+v, %v", text, h, known)
		}
	}
}

// A log whose first record was changed cannot be rotated. What many append at
// once still follows on, and the head that is left fits the file.
func TestGroupBehindAFirstRecordThatWasChanged(t *testing.T) {
	log, dir := marked(t, 3)
	path := filepath.Join(dir, currentName)
	write(t, path, bytes.Replace(read(t, path), []byte(openBody), []byte(`{"bodY":`), 1))
	log.opts.Segment = 100
	batch := []*waiting{{body: body("a", 1)}, {body: body("b", 1)}, {body: body("c", 1)}}
	err := log.locked(soon(t), func(held *flock.Held, removed bool) error {
		n, err := log.appendAll(held, batch, removed)
		if n != len(batch) {
			t.Errorf("%d are written", n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := log.Append(soon(t), body("d", 1)); err != nil || r.Noticed != "" || r.Seq != 7 || r.Prev != batch[2].receipt.Hash {
		t.Errorf("%+v, %v", r, err)
	}
}

// Who appends with others leaves a head, if the log is one that is missed, and
// begins a segment only where one ends.
func TestGroupLeavesAHead(t *testing.T) {
	for _, mark := range []string{"", filepath.Join(t.TempDir(), "mark")} {
		dir := filepath.Join(t.TempDir(), "log")
		var g Group
		for range 4 {
			if _, err := g.Append(dir, Options{Mark: mark}, body("x", 1)); err != nil {
				t.Fatal(err)
			}
		}
		if list, err := segments(dir); len(list) != 0 || err != nil {
			t.Errorf("%v, %v", list, err)
		}
		path := filepath.Join(dir, currentName)
		data := read(t, path)
		write(t, path, data[:bytes.LastIndexByte(data[:len(data)-1], '\n')+1])
		if r, err := Verify(dir); err != nil || (r.Broken != nil) != (mark != "") {
			t.Errorf("mark %q: %v, %v", mark, r.Broken, err)
		}
	}
}

// Files that only look like segments are not read.
func TestOtherFilesAreNoSegments(t *testing.T) {
	dir := fill(t, 3, Options{})
	for _, name := range []string{"segment-1.jsonl", "segment-000000000001.json", "000000000001.jsonl", "segment-00000000000x.jsonl",
		"segment-000000000001.jsonl.bak"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := sound(t, dir, 3); r.Segments != 1 {
		t.Errorf("%d segments", r.Segments)
	}
}
