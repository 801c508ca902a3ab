package evidence

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// Many appends at once are one chain, each is in it once, rotations included,
// and another writer comes in between.
func TestGroup(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	opts := Options{Segment: 8 << 10, Mark: filepath.Join(t.TempDir(), "mark")}
	var g Group
	var all sync.WaitGroup
	seqs := make([]uint64, 400)
	for i := range seqs {
		all.Go(func() {
			body := fmt.Appendf(nil, `{"id":"r%d"}`, i)
			var r Receipt
			var err error
			if i%10 == 0 {
				r, err = Open(dir, opts).Append(t.Context(), body)
			} else {
				r, err = g.Append(dir, opts, body)
			}
			if err != nil || r.Noticed != "" {
				t.Errorf("%v %s", err, r.Noticed)
			}
			seqs[i] = r.Seq
		})
	}
	all.Wait()
	report, err := Verify(dir)
	if err != nil || report.Records != 400 {
		t.Fatalf("%+v, %v", report, err)
	}
	err = Scan(dir, func(e Entry) error {
		if i := slices.Index(seqs, e.Seq); i < 0 || string(e.Body) != fmt.Sprintf(`{"id":"r%d"}`, i) {
			t.Errorf("record %d is %s", e.Seq, e.Body)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Who appends often need not read the end of the log again, and still notices that
// somebody has changed it.
func TestGroupNoticesAChangedEnd(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, path string, data []byte){
		"in place": func(t *testing.T, path string, data []byte) {
			data[bytes.LastIndex(data, []byte(`"b"`))+1] = 'c'
			write(t, path, data)
		},
		"cut off": func(t *testing.T, path string, data []byte) { write(t, path, data[:bytes.IndexByte(data, '\n')+1]) },
		"added":   func(t *testing.T, path string, data []byte) { write(t, path, append(data, "{}\n"...)) },
		"another": func(t *testing.T, path string, data []byte) {
			data[bytes.LastIndex(data, []byte(`"b"`))+1] = 'c'
			write(t, path+".new", data)
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
		},
	} {
		dir := filepath.Join(t.TempDir(), "log")
		opts := Options{Mark: filepath.Join(t.TempDir(), "mark")}
		var g Group
		add := func(id string) Receipt {
			t.Helper()
			r, err := g.Append(dir, opts, fmt.Appendf(nil, `{"id":%q}`, id))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			return r
		}
		add("a")
		last := add("b")
		if r := add("b"); r.Prev != last.Hash || r.Noticed != "" {
			t.Errorf("%s: %+v", name, r)
		}
		path := filepath.Join(dir, currentName)
		change(t, path, read(t, path))
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Second)); err != nil { // later than the last append
			t.Fatal(err)
		}
		if r := add("d"); r.Noticed == "" {
			t.Errorf("%s: nobody notices", name)
		}
	}
}

// What cannot be written is an error for everybody who waited for it.
func TestGroupFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var g Group
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if r, err := g.Append(dir, Options{}, []byte(`{}`)); err == nil {
				t.Errorf("%+v", r)
			}
		})
	}
	all.Wait()
}
