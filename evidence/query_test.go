package evidence

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func sample(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "log")
	log := Open(dir, Options{Segment: 900})
	for i := range 6 {
		r := Record{
			ID: fmt.Sprintf("ev_%d%025d", i/4, i), Time: time.Unix(int64(1000+i), 0), Host: []string{"a", "b"}[i%2], Event: "pre_tool_use",
			Session: SessionRecord{ID: fmt.Sprint("s", i/3)}, Tool: ToolRecord{Name: "Bash"}, Action: ActionRecord{Kind: "shell", Summary: "=ls"},
			Verdict: &VerdictRecord{Decision: []string{"deny", "none", "none"}[i%3], Reason: "because, \"so\""},
			Hooks:   []HookRecord{{ID: fmt.Sprint("h", i)}},
		}
		if _, err := log.Append(soon(t), r.AppendJSON(nil)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestListFilters(t *testing.T) {
	dir := sample(t)
	for want, f := range map[string]Filter{
		"[1 2 3 4 5 6]": {}, "[1 3 5]": {Host: "a"}, "[1 4]": {Decision: "deny"}, "[4 5 6]": {Session: "s1"}, "[3]": {Hook: "h2"},
		"[5 6]": {Since: time.Unix(1004, 0)}, "[]": {Tool: "Read"}, "[4]": {Decision: "deny", Host: "b", Event: "pre_tool_use"},
	} {
		got := []uint64{}
		if err := List(dir, f, func(r Row) error { got = append(got, r.Seq); return nil }); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%+v: got %v, want %s", f, got, want)
		}
	}
}

func TestShow(t *testing.T) {
	dir := sample(t)
	for which, want := range map[string]uint64{"3": 3, fmt.Sprintf("ev_0%025d", 1): 2, "ev_1" + strings.Repeat("0", 24) + "5": 6} {
		if e, err := Show(dir, which); err != nil || e.Seq != want || &e.Body[0] != &e.Line[len(openBody)] {
			t.Errorf("%s: %+v, %v", which, e.Receipt, err)
		}
	}
	for _, which := range []string{"7", "0", "ev_0", "ev_9", "x", ""} {
		if e, err := Show(dir, which); err == nil {
			t.Errorf("%q found %d", which, e.Seq)
		}
	}
}

func TestExport(t *testing.T) {
	dir := sample(t)
	var jsonl, table bytes.Buffer
	if err := Export(&jsonl, dir, "jsonl", Filter{}); err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	write(t, filepath.Join(copied, currentName), jsonl.Bytes())
	sound(t, copied, 6) // a complete export verifies like the log
	if err := Export(&table, dir, "csv", Filter{Decision: "deny"}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&table).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][0] != "1" || rows[1][8] != "'=ls" || rows[1][10] != `because, "so"` {
		t.Errorf("%q, %v", rows, err)
	}
	extend(t, dir, 1, Options{}) // with nothing in it that a column is for
	table.Reset()
	if err := Export(&table, dir, "csv", Filter{}); err != nil || strings.Count(table.String(), "\n") != 8 {
		t.Errorf("%s, %v", &table, err)
	}
	if err := Export(&table, dir, "xml", Filter{}); err == nil {
		t.Error("xml was taken")
	}
}

// Lines that are not records hide no others: whoever reads gets all records, and
// then which lines those were.
func TestReadersPassOverWhatIsNoRecord(t *testing.T) {
	dir := sample(t)
	path := filepath.Join(dir, currentName)
	write(t, path, slices.Concat([]byte("garbage\n"), read(t, path), []byte("{}\n")))
	var got []uint64
	see := func(seq uint64) error { got = append(got, seq); return nil }
	for name, reader := range map[string]func() error{
		"scan": func() error { return Scan(dir, func(e Entry) error { return see(e.Seq) }) },
		"list": func() error { return List(dir, Filter{}, func(r Row) error { return see(r.Seq) }) },
		"map": func() error {
			return Map(dir, Filter{}, func(e *Entry) uint64 { return e.Seq }, func(seq uint64) error { return see(seq) })
		},
		"csv": func() error {
			var out strings.Builder
			err := Export(&out, dir, "csv", Filter{})
			for i := range strings.Count(out.String(), "\n") - 1 {
				see(uint64(i + 1))
			}
			return err
		},
	} {
		got = nil
		err := reader()
		if fmt.Sprint(got) != "[1 2 3 4 5 6]" || err == nil || !strings.Contains(err.Error(), "current.jsonl:1 ") || ExceptDamage(err) != nil {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	if err := List(dir, Filter{}, func(Row) error { return ErrStop }); err != nil {
		t.Error(err)
	}
	if e, err := Show(dir, fmt.Sprintf("ev_0%025d", 1)); err != nil || e.Seq != 2 {
		t.Errorf("%d %v", e.Seq, err)
	}
	got = nil
	err := Tail(soon(t), dir, 1, func(e Entry) error {
		see(e.Seq)
		if e.Seq == 6 {
			return ErrStop
		}
		return nil
	})
	if fmt.Sprint(got) != "[1 2 3 4 5 6]" || err != nil {
		t.Errorf("tail: %v %v", got, err)
	}
	log := Open(dir, Options{})
	if err := log.Since(1, func(Entry) error { return nil }); err == nil { // who checks a chain is told at once
		t.Error("nothing was said")
	}
	if boom := errors.New("boom"); ExceptDamage(boom) != boom {
		t.Error("another error is ignored")
	}
}

// A segment that cannot be read is an error, although the files after it can be.
func TestUnreadableSegment(t *testing.T) {
	dir := fill(t, 50, Options{Segment: 1000})
	if err := os.Symlink(filepath.Join(dir, "nothing"), filepath.Join(dir, segmentName(0))); err != nil {
		t.Skip(err)
	}
	if err := Scan(dir, func(Entry) error { return nil }); err == nil || !strings.Contains(err.Error(), segmentName(0)) {
		t.Errorf("got %v", err)
	}
}
