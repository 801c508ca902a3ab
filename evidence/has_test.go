package evidence

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// A record is found by its id, in whichever file it is, and nothing else is taken
// for it.
func TestHas(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	if has, err := Has(dir, "r1", time.Time{}); has || err != nil {
		t.Errorf("no log: %v %v", has, err)
	}
	log := Open(dir, Options{Segment: 2 << 10})
	for i := range 60 {
		r := Record{ID: fmt.Sprintf("r%d.", i), Time: time.Now(), Event: "e", Payload: map[string]any{"id": fmt.Sprintf("p%d.", i)}}
		if _, err := log.Append(t.Context(), r.AppendJSON(nil)); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := segments(dir); err != nil || len(list) < 3 {
		t.Fatalf("%d segments, %v", len(list), err)
	}
	hour := time.Now().Add(-time.Hour)
	for _, c := range []struct {
		id    string
		since time.Time
		want  bool
	}{{"r0.", hour, true}, {"r30.", hour, true}, {"r59.", hour, true}, {"r60.", hour, false}, {"p30.", hour, false}, {"r3", hour, false},
		{"r30.", time.Now().Add(time.Hour), false}} {
		if has, err := Has(dir, c.id, c.since); has != c.want || err != nil {
			t.Errorf("%s: %v %v", c.id, has, err)
		}
	}
}
