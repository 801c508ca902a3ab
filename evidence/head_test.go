package evidence

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// marked is a log that is missed when it is gone.
func marked(t *testing.T, n int) (*Log, string) {
	t.Helper()
	state := t.TempDir()
	dir := filepath.Join(state, "log")
	log := Open(dir, Options{Mark: filepath.Join(state, "logs", "log"), Segment: 3000})
	for i := range n {
		if r, err := log.Append(soon(t), body("x", i)); err != nil || r.Noticed != "" {
			t.Fatal(r, err)
		}
	}
	return log, dir
}

// Finding enforcement 23: who appends to a log that has been changed notices
// it, says so once, and leaves a record; the log itself still tells where.
func TestAChangedLogIsNoticedWhenAppending(t *testing.T) {
	line := func(data []byte, n int) (from, to int) {
		lines := bytes.SplitAfter(data, newline)
		for _, l := range lines[:n] {
			from += len(l)
		}
		return from, from + len(lines[n])
	}
	for name, c := range map[string]struct {
		change func(data []byte) []byte
		want   string
	}{
		"nothing": {func(d []byte) []byte { return d }, ""},
		"last removed": {func(d []byte) []byte { from, _ := line(d, 4); return d[:from] },
			"record 5 had been written, but the log ends with record 4"},
		"middle removed": {func(d []byte) []byte { from, to := line(d, 2); return append(d[:from:from], d[to:]...) }, "take up"},
		"all removed":    {func([]byte) []byte { return nil }, "record 5 had been written, but the log ends with record 0"},
		"middle removed, torn": {func(d []byte) []byte {
			from, to := line(d, 2)
			return append(append(d[:from:from], d[to:]...), `{"body"`...)
		}, "take up"},
		"last changed": {func(d []byte) []byte { from, _ := line(d, 4); d[from+12] ^= 1; return d }, "record 5 does not match its hash"},
		"a line added": {func(d []byte) []byte { return append(d, "x\n"...) }, "1 line at its end cannot be read"},
		"lines added":  {func(d []byte) []byte { return append(d, "x\ny\n"...) }, "2 lines at its end cannot be read"},
		"added, torn":  {func(d []byte) []byte { return append(d, "x\ny"...) }, "1 line at its end cannot be read"},
		"last no record": {func(d []byte) []byte { from, _ := line(d, 4); return append(d[:from], "x\n"...) },
			"1 line at its end cannot be read"},
		"last rebuilt": {func(d []byte) []byte {
			from, _ := line(d, 4)
			r, err := ParseLine(bytes.TrimSuffix(d[from:], newline))
			if err != nil {
				t.Fatal(err)
			}
			other := []byte(`{"other":1}`)
			r.Hash = r.sum(other)
			return append(d[:from], r.line(other)...)
		}, "record 5 is not the one that was written"},
	} {
		t.Run(name, func(t *testing.T) {
			log, dir := marked(t, 5)
			path := filepath.Join(dir, currentName)
			write(t, path, c.change(read(t, path)))
			r, err := log.Append(soon(t), body("y", 1))
			if err != nil || !strings.Contains(r.Noticed, c.want) || (c.want == "") != (r.Noticed == "") {
				t.Fatalf("noticed %q, %v, want %q", r.Noticed, err, c.want)
			}
			found := 0
			Scan(dir, func(e Entry) error {
				if row, err := e.Row(); err == nil && row.Event == LogEvent && row.Error == "evidence" {
					found++
				}
				return nil
			})
			if want := min(1, len(c.want)); found != want {
				t.Errorf("%d records about it, want %d", found, want)
			}
			if r, err := log.Append(soon(t), body("z", 1)); err != nil || r.Noticed != "" {
				t.Errorf("said again: %q, %v", r.Noticed, err)
			}
		})
	}
}

// A writer that died before it left its head, rotations, and programs of before
// that leave none, are no alarm.
func TestNoAlarmWithoutAReason(t *testing.T) {
	log, dir := marked(t, 40) // rotates
	for range 3 {
		lock := read(t, filepath.Join(dir, lockName))
		if _, err := log.Append(soon(t), body("y", 1)); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, lockName), lock)
		if r, err := log.Append(soon(t), body("y", 2)); err != nil || r.Noticed != "" {
			t.Fatal(r, err)
		}
		extend(t, dir, 2, Options{})
		if r, err := log.Append(soon(t), body("y", 3)); err != nil || r.Noticed != "" {
			t.Fatal(r, err)
		}
	}
	sound(t, dir, 40+3*5)
	if path := filepath.Join(dir, currentName); len(read(t, path)) > 0 { // and one that died after it had rotated
		first, err := seqOfFirst(read(t, path))
		if err != nil || os.Rename(path, filepath.Join(dir, segmentName(first))) != nil {
			t.Fatal(err)
		}
	}
	if r, err := log.Append(soon(t), body("y", 4)); err != nil || r.Noticed != "" {
		t.Fatal(r, err)
	}
}

// A record whose beginning is out of sight is not judged, whatever its text
// looks like.
func TestForgeriesAreJudgedFromTheBeginning(t *testing.T) {
	good := bytes.TrimSuffix(Receipt{}.next([]byte("{}")).line([]byte("{}")), newline)
	bad := bytes.Replace(good, []byte("{}"), []byte("{ }"), 1)
	for _, c := range []struct {
		tail  []byte
		whole bool
		want  bool
	}{{good, true, false}, {bad, true, true}, {bad, false, false}, {append([]byte("x\n"), bad...), false, true},
		{append([]byte("\n"), bad...), false, true}, {append(append(bad, '\n'), good...), true, false}} {
		if got := forgery(c.tail, c.whole); got != c.want {
			t.Errorf("%s, whole %v: %v", c.tail, c.whole, got)
		}
	}
}

// Finding enforcement 23: a log that was removed is not a new project's, and
// one whose end was cut off is broken.
func TestARemovedLogIsMissed(t *testing.T) {
	log, dir := marked(t, 3)
	if Removed(dir, log.opts.Mark) {
		t.Error("removed, and it is there")
	}
	path := filepath.Join(dir, currentName)
	data := read(t, path)
	write(t, path, data[:bytes.LastIndexByte(data[:len(data)-1], '\n')+1])
	if r, err := Verify(dir); err != nil || r.Broken == nil || r.Broken.Fault != HeadMismatch || r.Records != 2 {
		t.Errorf("the end was cut off: %+v, %v", r, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if !Removed(dir, log.opts.Mark) || Removed(dir, filepath.Join(t.TempDir(), "none")) {
		t.Error("not missed, or missed without a mark")
	}
	if r, err := log.Append(soon(t), body("y", 1)); err != nil || r.Noticed != "it was removed" || r.Seq != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// The directory is there, and what was in it is not: all of it, or only the lock
// file, which says what was written last. A writer that died before it made the
// mark is followed by one that makes it. (Attempt E6, undetected at first.)
func TestAnEmptiedLogIsMissed(t *testing.T) {
	for name, c := range map[string]struct {
		gone   func(dir string) error
		notice string
	}{
		"all":            {func(dir string) error { return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)) }, "it was removed"},
		"the lock":       {func(dir string) error { return os.Remove(filepath.Join(dir, lockName)) }, "the note about"},
		"what is in it":  {func(dir string) error { return os.Truncate(filepath.Join(dir, lockName), 0) }, "the note about"},
		"nothing at all": {func(string) error { return nil }, ""},
	} {
		log, dir := marked(t, 3)
		if err := c.gone(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, lockName)); Removed(dir, log.opts.Mark) != (err != nil) {
			t.Errorf("%s: removed is %v", name, err == nil)
		}
		r, err := log.Append(soon(t), body("y", 1))
		if err != nil || !strings.HasPrefix(r.Noticed, c.notice) || (r.Noticed == "") != (c.notice == "") {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if r, err := log.Append(soon(t), body("y", 1)); err != nil || r.Noticed != "" {
			t.Errorf("%s is noticed twice: %+v, %v", name, r, err)
		}
	}
	log, _ := marked(t, 3)
	if err := os.Remove(log.opts.Mark); err != nil {
		t.Fatal(err)
	}
	if r, err := log.Append(soon(t), body("y", 1)); err != nil || r.Noticed != "" || !log.marked() {
		t.Errorf("a mark that was not made: %+v, %v", r, err)
	}
}
