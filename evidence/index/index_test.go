package index_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/index"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/sqlite"
)

// What a record says is what the index has of it, and odd members do no harm.
func TestEvent(t *testing.T) {
	r := evidence.Record{ID: "ev_1", Time: time.UnixMicro(7).UTC(), Host: "h", Event: "pre_tool_use", Project: "/p", Config: "c", Micros: 9,
		Session: evidence.SessionRecord{ID: "s", Agent: "a", AgentID: "i", Parents: []string{"m"}, Bypass: true, User: "u", Turn: "t"},
		Tool:    evidence.ToolRecord{ID: "call", Name: "Bash"},
		Action:  evidence.ActionRecord{Kind: "shell", Summary: "ls", Paths: []string{"/a"}, URL: "x:", Server: "srv"},
		Hooks: []evidence.HookRecord{{ID: "one", Phase: "guard", Decision: "deny", Micros: 3, Findings: []evidence.FindingRecord{{Code: "f"}}},
			{ID: "two", Phase: "observe", Failed: true, Code: "crash", Trial: "ask"}, {ID: "three", Phase: "observe"}},
		Verdict: &evidence.VerdictRecord{Decision: "deny", Reason: "no", Granted: true, Rewrites: []string{"x"}, Codes: []string{"crash"},
			Findings: []evidence.FindingRecord{{Code: "f"}, {Code: "e"}}},
		Degraded: []evidence.DegradedRecord{{Wanted: "ask"}}, Error: &evidence.ErrorRecord{Code: "timeout"}}
	want := store.Event{Seq: 4, ID: "ev_1", Time: store.FromMicros(7), Host: "h", Event: "pre_tool_use", Session: "s", Turn: "t", Agent: "a",
		AgentID: "i", Parents: []string{"m"}, User: "u", Project: "/p", Tool: "Bash", Call: "call", Action: "shell", Summary: "ls",
		Paths: []string{"/a"}, URL: "x:", Server: "srv", Decision: "deny", Reason: "no", Config: "c", Micros: 9,
		Runs: []store.Run{{Hook: "one", Phase: "guard", Decision: "deny", Micros: 3}, {Hook: "two", Phase: "observe", Code: "crash",
			Trial: "ask"}, {Hook: "three", Phase: "observe"}},
		Is: []string{"rewritten", "degraded", "trial", "failed", "granted", "bypass"}, Codes: []string{"crash", "timeout"},
		Findings: []string{"e", "f"}}
	if got, err := index.Event(4, r.AppendJSON(nil)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
	}
	got, err := index.Event(1, []byte(
		`{"action":[],"event":1,"hooks":[{},3,{"id":4}],"host":null,"id":"ev_2","micros":1.5,"session":"x","time":"noon"}`))
	if err != nil || got.ID != "ev_2" {
		t.Errorf("%+v, %v", got, err)
	}
}

// The index follows logs over rotations, from where any process stopped; what
// two of them read is there once.
func TestFollow(t *testing.T) {
	root := filepath.Join(t.TempDir(), "evidence")
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	written := 0
	write := func(log string, n int) {
		for range n {
			written++
			r := evidence.Record{ID: fmt.Sprintf("ev_%03d", written), Event: "x", Time: time.UnixMicro(int64(written))}
			if _, err := evidence.Open(filepath.Join(root, log), evidence.Options{Segment: 2000}).Append(t.Context(),
				r.AppendJSON(nil)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for round := range 3 {
		write("one", 40)
		ctx, stop := context.WithCancel(t.Context())
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				(&index.Follower{Events: st, Machine: "m", Root: root, Report: func(log string, err error) { t.Errorf("%s: %v", log, err) }}).Run(ctx)
			})
		}
		if write("one", 30); round == 1 {
			write("two", 5)
		}
		if round < 2 {
			time.Sleep(150 * time.Millisecond) // ended in the middle of it, wherever that is
		} else {
			for begin := time.Now(); len(ids(t, st)) < written && time.Since(begin) < time.Minute; {
				time.Sleep(20 * time.Millisecond)
			}
		}
		stop()
		both.Wait()
	}
	got := ids(t, st)
	if len(got) != written {
		t.Fatalf("%d of %d records are in the index", len(got), written)
	}
	for i, id := range got {
		if want := fmt.Sprintf("ev_%03d", written-i); id != want {
			t.Fatalf("record %d is %s, want %s", i, id, want)
		}
	}
	if last, _, err := st.Indexed(t.Context(), "m", "two"); err != nil || last != 5 {
		t.Errorf("%d, %v", last, err)
	}
	all, err := st.Events(t.Context(), store.EventQuery{After: 1, Most: 1000})
	if err != nil || len(all) != written-1 {
		t.Fatalf("%d events after the first, %v", len(all), err)
	}
	last := all[len(all)-3].Row
	if after, err := st.Events(t.Context(), store.EventQuery{After: last}); err != nil || len(after) != 2 || after[0].Row <= last {
		t.Errorf("%d events after it, %v", len(after), err)
	}
}

// UI-18: what was pruned from a log leaves the index, and what is missing without
// a tombstone does not.
func TestFollowAPrunedLog(t *testing.T) {
	root := filepath.Join(t.TempDir(), "evidence")
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	log := filepath.Join(root, "one")
	for i := range 40 {
		r := evidence.Record{ID: fmt.Sprintf("ev_%03d", i), Event: "x", Time: time.UnixMicro(int64(i))}
		if _, err := evidence.Open(log, evidence.Options{Segment: 2000}).Append(t.Context(), r.AppendJSON(nil)); err != nil {
			t.Fatal(err)
		}
	}
	follow := func(want int) {
		t.Helper()
		ctx, stop := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { (&index.Follower{Events: st, Machine: "m", Root: root}).Run(ctx) })
		for begin := time.Now(); len(ids(t, st)) != want && time.Since(begin) < time.Minute; {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond)
		stop()
		done.Wait()
		if got := len(ids(t, st)); got != want {
			t.Errorf("%d records are in the index, want %d", got, want)
		}
	}
	follow(40)
	if err := os.Remove(filepath.Join(log, "segment-000000000001.jsonl")); err != nil {
		t.Fatal(err)
	}
	first, err := evidence.First(log)
	if err != nil || first < 2 {
		t.Fatal(first, err)
	}
	follow(40)
	for _, last := range []uint64{first - 1, 30} { // the second one says more than was removed
		if err := os.WriteFile(filepath.Join(log, fmt.Sprintf("tombstone-%012d.json", last)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		follow(41 - int(first))
	}
}

func ids(t *testing.T, st store.Events) (out []string) {
	list, err := st.Events(t.Context(), store.EventQuery{Most: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		out = append(out, e.ID)
	}
	return out
}

// A log that was removed and begun again is indexed again, whether that happens
// while it is followed or not, and with fewer records or more. What is older
// than the index goes back is left out.
func TestFollowALogBegunAnew(t *testing.T) {
	root := filepath.Join(t.TempDir(), "evidence")
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var stop context.CancelFunc
	var done sync.WaitGroup
	follow := func() {
		ctx, cancel := context.WithCancel(t.Context())
		stop = func() { cancel(); done.Wait() }
		done.Go(func() { (&index.Follower{Events: st, Machine: "m", Root: root, Keep: time.Hour}).Run(ctx) })
	}
	follow()
	for _, c := range []struct {
		name    string
		records int
		stopped bool
	}{{"a", 5, false}, {"b", 2, false}, {"c", 2, true}, {"d", 9, true}, {"e", 1, true}, {"f", 20, false}} {
		if c.stopped {
			stop()
		}
		if err := os.RemoveAll(filepath.Join(root, "log")); err != nil {
			t.Fatal(err)
		}
		for i := range c.records + 1 {
			r := evidence.Record{ID: fmt.Sprint(c.name, i), Event: "x", Time: time.Now()}
			if i == 0 {
				r.Time = r.Time.Add(-2 * time.Hour)
			}
			if _, err := evidence.Open(filepath.Join(root, "log"), evidence.Options{}).Append(t.Context(), r.AppendJSON(nil)); err != nil {
				t.Fatal(err)
			}
		}
		if c.stopped {
			follow()
		}
		got := []string{}
		for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(20 * time.Millisecond) {
			got = ids(t, st)
			if len(got) == c.records && got[0] == fmt.Sprint(c.name, c.records) {
				break
			}
		}
		if len(got) != c.records || got[len(got)-1] != c.name+"1" {
			t.Fatalf("%s: the index has %v", c.name, got)
		}
	}
	stop()
}
